export const statements = [
  // The same secret as Mosquitto keeps it in its password file; null for one that was made by an earlier version.
  `alter table node_credential add column mosquitto_hash text`,
];
