import type { ActivityAction } from "@busbar/contract/system/changes.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { rmSync, writeFileSync } from "node:fs";
import type { ParseArgsOptionsConfig } from "node:util";
import { EmailAddress } from "@busbar/contract/access/user-rules.ts";
import { deviceTopic, groupOf, nodeTopic } from "@busbar/sparkplug/topic.ts";
import type { Pool, PoolClient } from "pg";
import {
  createAdministrator,
  findUserId,
  findTotpSecrets,
  replacePassword,
  replaceRoles,
  replaceSecondFactor,
  resetSecondFactor,
} from "./administrators.store.ts";
import { saveBillingOrganization } from "./billing-organizations.store.ts";
import { createNodes } from "./new-nodes.store.ts";
import { writeBrokerFiles } from "./broker-files.ts";
import { checkNode } from "./node-check/check-node.ts";
import type { Config } from "#src/config.ts";
import type { SecretsKey } from "#db/secrets-key.ts";
import { inTransaction } from "#db/transaction.ts";
import { replaceNodeCredentials } from "#features/directory/node-credentials/issued-credentials.store.ts";
import { hostStateTopic } from "#mqtt/host-state.ts";
import { nodeObject, recordActivity, userObject } from "#shared/activities.store.ts";
import { passwordProblem, readStaffRoles, usernameProblem } from "#lib/account-rules.ts";
import { newNodeSecret } from "#lib/node-secrets.ts";
import { hashPassword } from "#lib/passwords.ts";
import { hashRecoveryCode, newRecoveryCodes } from "#lib/recovery-codes.ts";
import { newTotpSecret, otpauthAddress, totpCode } from "#lib/totp.ts";

export interface CommandInput {
  config: Pick<Config, "mqttUrl" | "nodeMqttUrl">;
  pool: Pool;
  secretsKey: SecretsKey;
  /** The word after the command; empty when there is none. */
  subject: string;
  options: Record<string, string | boolean | undefined>;
  askSecret: (question: string) => Promise<string>;
  print: (line: string) => void;
}

export interface Command {
  usage: string;
  options: ParseArgsOptionsConfig;
  /** @returns an exit code other than 0, if there is one to say */
  run(input: CommandInput): Promise<number | void>;
}

const text = { type: "string" } as const;

/** What `npm run admin` can do. */
export const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  [
    "create",
    {
      usage:
        "create <username> --email <address> [--first-name <name>] [--last-name <name>] [--roles systemAdministrator,accountsAdministrator]",
      options: { email: text, "first-name": text, "last-name": text, roles: text },
      run: create,
    },
  ],
  [
    "roles",
    { usage: "roles <username> --roles <systemAdministrator,accountsAdministrator or none>", options: { roles: text }, run: changeRoles },
  ],
  ["password", { usage: "password <username>", options: {}, run: changePassword }],
  [
    "totp",
    {
      usage: "totp <username> [--new | --reset]",
      options: { new: { type: "boolean" }, reset: { type: "boolean" } },
      run: totp,
    },
  ],
  [
    "billing-organization",
    {
      usage: "billing-organization <name> --customers <code,code>",
      options: { customers: text },
      run: billingOrganization,
    },
  ],
  ["node-credentials", { usage: "node-credentials <serial>", options: {}, run: nodeCredentials }],
  ["check-node", { usage: "check-node <serial> [--seconds <60>]", options: { seconds: text }, run: checkOneNode }],
  [
    "broker-files",
    {
      usage: "broker-files <folder> [--watch] [--pid-file <mosquitto.pid>]",
      options: { watch: { type: "boolean" }, "pid-file": text },
      run: brokerFiles,
    },
  ],
  [
    "provision-nodes",
    {
      usage: "provision-nodes <count> --first <serial> --file <credentials.json>",
      options: { first: text, file: text },
      run: provisionNodes,
    },
  ],
]);

async function create({ pool, secretsKey, subject: username, options, askSecret, print }: CommandInput): Promise<void> {
  refuse(usernameProblem(username));
  const email = String(options["email"] ?? "");
  if (!EmailAddress.safeParse(email).success) throw new Error("--email is an e-mail address.");
  const roles = readStaffRoles(String(options["roles"] ?? ""));
  const passwordHash = await hashPassword(await askPassword(username, askSecret));
  const totpSecret = newTotpSecret();
  const recoveryCodes = newRecoveryCodes();
  const administrator = {
    username,
    email,
    firstName: String(options["first-name"] ?? ""),
    lastName: String(options["last-name"] ?? ""),
    roles,
    passwordHash,
    totpSecret,
  };
  try {
    await inTransaction(pool, async (client) => {
      await createAdministrator(client, secretsKey, administrator, recoveryCodes.map(hashRecoveryCode));
      await recordOfUser(client, "POST_USER", username, `Created the administrator ${username}`, { after: { email, roles } });
    });
  } catch (error) {
    if ((error as { code?: string }).code !== "23505") throw error;
    throw new Error(`There is a user with this username or e-mail already.`, { cause: error });
  }
  print(`Created ${username}. 2FA secret, shown once: ${totpSecret}`);
  print(otpauthAddress(totpSecret, username));
  printRecoveryCodes(recoveryCodes, print);
}

async function changeRoles({ pool, subject: username, options, print }: CommandInput): Promise<void> {
  const given = options["roles"];
  if (typeof given !== "string")
    throw new Error("--roles lists systemAdministrator and accountsAdministrator, separated by commas, or says none.");
  const roles = readStaffRoles(given === "none" ? "" : given);
  await inTransaction(pool, async (client) => {
    const before = await replaceRoles(client, username, roles);
    if (!before) throw new Error(`There is no administrator ${username}.`);
    await recordOfUser(client, "PATCH_USER", username, `Changed the special privileges of ${username}`, {
      before: { roles: before },
      after: { roles },
    });
  });
  print(`${username} has ${roles.length === 0 ? "no special privileges" : roles.join(", ")}; all sessions have ended.`);
}

async function changePassword({ pool, subject: username, askSecret, print }: CommandInput): Promise<void> {
  const passwordHash = await hashPassword(await askPassword(username, askSecret));
  await inTransaction(pool, async (client) => {
    if (!(await replacePassword(client, username, passwordHash))) throw unknownUser(username);
    await recordOfUser(client, "PATCH_USER_PASSWORD", username, `Changed the password of ${username}`);
  });
  print(`The password of ${username} is changed; all sessions have ended.`);
}

async function totp({ pool, secretsKey, subject: username, options, print }: CommandInput): Promise<void> {
  if (options["new"] === true && options["reset"] === true) throw new Error("Either --new or --reset, not both.");
  if (options["new"] === true) return await enrol(pool, secretsKey, username, print);
  if (options["reset"] === true) return await reset(pool, username, print);
  const secret = (await findTotpSecrets(pool, secretsKey, [username])).get(username);
  if (secret === undefined) throw new Error(`There is no user ${username} with 2FA. A new secret: totp ${username} --new`);
  print(totpCode(secret, Date.now()));
}

async function enrol(pool: Pool, secretsKey: SecretsKey, username: string, print: CommandInput["print"]): Promise<void> {
  const secret = newTotpSecret();
  const recoveryCodes = newRecoveryCodes();
  await inTransaction(pool, async (client) => {
    const isKnown = await replaceSecondFactor(client, secretsKey, username, secret, recoveryCodes.map(hashRecoveryCode));
    if (!isKnown) throw unknownUser(username);
    await recordOfUser(client, "ENROL_TWO_FACTOR", username, `Replaced the second factor of ${username}`);
  });
  print(`New 2FA secret of ${username}, shown once: ${secret}`);
  print(otpauthAddress(secret, username));
  printRecoveryCodes(recoveryCodes, print);
}

function printRecoveryCodes(recoveryCodes: readonly string[], print: CommandInput["print"]): void {
  print("Recovery codes, one use each, shown once:");
  for (const code of recoveryCodes) print(`  ${code}`);
}

async function reset(pool: Pool, username: string, print: CommandInput["print"]): Promise<void> {
  const hadOne = await inTransaction(pool, async (client) => {
    const had = await resetSecondFactor(client, username);
    if (had === undefined) throw unknownUser(username);
    await recordOfUser(client, "RESET_TWO_FACTOR", username, `Took the second factor of ${username} away`);
    return had;
  });
  print(hadOne ? `${username} has no 2FA any more; all sessions have ended.` : `${username} had no 2FA.`);
}

async function billingOrganization({ pool, subject: name, options, print }: CommandInput): Promise<void> {
  if (!/^\P{Cc}{1,120}$/u.test(name)) throw new Error("The name is one line of at most 120 characters.");
  const given = options["customers"];
  if (typeof given !== "string") throw new Error("--customers lists the codes of the customers that it pays for, separated by commas.");
  const codes = [
    ...new Set(
      given
        .split(",")
        .map((code) => code.trim())
        .filter(Boolean),
    ),
  ];
  await inTransaction(pool, async (client) => {
    const unknown = await saveBillingOrganization(client, name, codes);
    if (unknown.length > 0) throw new Error(`There is no customer ${unknown.join(", ")}. Nothing was changed.`);
    const payer = codes.length === 0 ? `${name} pays for no customer` : `${name} pays for ${codes.join(", ")}`;
    await record(client, "PATCH_BILLING_ORGANIZATION", name, payer);
  });
  print(codes.length === 0 ? `${name} pays for no customer and is deleted.` : `${name} pays for ${codes.join(", ")}.`);
}

async function nodeCredentials({ pool, config, subject, print }: CommandInput): Promise<void> {
  const serial = readSerial(subject, "The serial number");
  const secret = newNodeSecret();
  await inTransaction(pool, async (client) => {
    if ((await replaceNodeCredentials(client, [{ serial, secret }])) === 0) throw new Error(`There is no node ${serial}.`);
    await record(client, "POST_NODE_CREDENTIALS", nodeObject(serial), `Replaced the credentials of node ${serial}`);
  });
  print(`All that node ${serial} needs. The password is shown once; an earlier one is void.`);
  for (const [what, value] of nodeAccess(serial, secret, config.nodeMqttUrl)) print(`  ${what.padEnd(12)}${value}`);
  print(`What it sends there: docs/node-protocol.md. Whether it does: npm run admin -- check-node ${serial}`);
}

/** What a node is configured with, in the words of docs/node-protocol.md. */
function nodeAccess(serial: number, secret: string, brokerUrl: string): [what: string, value: string][] {
  const group = groupOf(serial);
  const edge = String(serial);
  return [
    ["broker", brokerUrl],
    ["client id", edge],
    ["user name", edge],
    ["password", secret],
    ["group", group],
    ["last will", nodeTopic("NDEATH", group, edge)],
    ["publish", [nodeTopic("NBIRTH", group, edge), nodeTopic("NDATA", group, edge)].join(" ")],
    ["subscribe", [nodeTopic("NCMD", group, edge), hostStateTopic].join(" ")],
    ["sub nodes", [deviceTopic("DBIRTH", group, edge, "+"), deviceTopic("DCMD", group, edge, "+")].join(" ")],
  ];
}

async function checkOneNode({ pool, subject, options, print }: CommandInput): Promise<number> {
  const seconds = Number(options["seconds"] ?? 60);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 3_600) throw new Error("--seconds is a whole number from 1 to 3600.");
  return await checkNode({ pool, serial: readSerial(subject, "The serial number"), seconds, print });
}

async function brokerFiles({ pool, config, subject, options, print }: CommandInput): Promise<void> {
  const given = options["pid-file"];
  const stopping = new AbortController();
  if (options["watch"] === true) for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  await writeBrokerFiles({
    pool,
    folder: subject,
    mqttUrl: config.mqttUrl,
    pidFile: typeof given === "string" ? given : undefined,
    watch: options["watch"] === true ? stopping.signal : undefined,
    print,
  });
}

async function provisionNodes({ pool, subject, options, print }: CommandInput): Promise<void> {
  const first = readSerial(String(options["first"] ?? ""), "--first");
  const count = Number(subject);
  if (!Number.isInteger(count) || count < 1 || first + count > 100_000)
    throw new Error(`The count is a whole number from 1 to ${100_000 - first}.`);
  const file = options["file"];
  if (typeof file !== "string") throw new Error("--file names the file for the credentials.");
  const secrets = new Map(Array.from({ length: count }, (_, index) => [first + index, newNodeSecret()]));
  // The file must not exist: it may hold the only copy of other secrets.
  try {
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(secrets), undefined, 1)}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
    const why = isThere ? "it exists already and may hold other secrets" : (error as Error).message;
    throw new Error(`${file} cannot be written: ${why}. Nothing was changed.`, { cause: error });
  }
  const added = await inTransaction(pool, async (client) => {
    const created = await createNodes(client, [...secrets.keys()]);
    await replaceNodeCredentials(
      client,
      [...secrets].map(([serial, secret]) => ({ serial, secret })),
    );
    await record(
      client,
      "POST_NODE",
      nodeObject(first),
      `New credentials of ${counted(count, "node")} from ${first}, ${created} of them new`,
    );
    return created;
  }).catch((error: unknown) => {
    // Secrets that open nothing.
    rmSync(file);
    throw error;
  });
  print(`New credentials of ${counted(count, "node")} from ${first}, ${added} of them new. The secrets are in ${file}.`);
}

async function askPassword(username: string, askSecret: CommandInput["askSecret"]): Promise<string> {
  const password = await askSecret(`New password of ${username}: `);
  refuse(passwordProblem(password, { isAdministrator: true, context: [username] }));
  return password;
}

interface RecordedValues {
  before?: unknown;
  after?: unknown;
}

/** Who has a shell on the server has no name here. */
const record = (client: PoolClient, action: ActivityAction, object: string, description: string, change: RecordedValues = {}) =>
  recordActivity(client, {
    actorType: "System",
    actor: "command line",
    action,
    object,
    description: `${description} on the command line`,
    ...change,
  });

async function recordOfUser(client: PoolClient, action: ActivityAction, username: string, description: string, change?: RecordedValues) {
  const id = await findUserId(client, username);
  await record(client, action, id === undefined ? username : userObject(id), description, change);
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new Error(problem);
}

function readSerial(serial: string, what: string): number {
  if (!/^[1-9]\d{4}$/.test(serial)) throw new Error(`${what} is 5 digits, the first not 0.`);
  return Number(serial);
}

const unknownUser = (username: string) => new Error(`There is no user ${username}.`);
