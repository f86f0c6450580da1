/** What all nodes of a fleet have done so far. */
export interface FleetCounters {
  connected: number;
  /** Connected and born. */
  online: number;
  published: number;
  historical: number;
  births: number;
  deaths: number;
  /** Connections that ended without a word: the broker sends the last will. */
  vanished: number;
  /** Scalars that were never acquired: dropped, or the node had no power. */
  missed: number;
  malformed: number;
  commands: number;
  /** Messages of the host that could not be read. */
  badCommands: number;
  refusedConnects: number;
}

export function createFleetCounters(): FleetCounters {
  return {
    connected: 0,
    online: 0,
    published: 0,
    historical: 0,
    births: 0,
    deaths: 0,
    vanished: 0,
    missed: 0,
    malformed: 0,
    commands: 0,
    badCommands: 0,
    refusedConnects: 0,
  };
}
