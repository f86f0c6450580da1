import type { NodeCredentials, NodeCredentialState, SeenCredentials } from "@busbar/contract/directory/node-credentials.ts";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import type { Caller } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { conflict, notFound } from "#lib/errors.ts";
import { hashNodeSecret, newNodeSecret } from "#lib/node-secrets.ts";
import { say } from "#lib/sentence.ts";
import { nodeObject, recordActivity } from "#shared/activities.store.ts";
import type { CredentialSheet } from "./credential-sheet.ts";
import { lockCredentialStates, readCredentialStates, replaceNodeCredentials, revokeCredentials } from "./issued-credentials.store.ts";
import { nodeAccess } from "./node-access.ts";
import type { NodeCredentialsStore } from "./node-credentials.store.ts";

export interface IssuedCredentialsDependencies {
  pool: Pool;
  store: Pick<NodeCredentialsStore, "findActive">;
  twoFactor: Pick<TwoFactor, "usePasscode">;
  clock: Clock;
  /** As nodes reach it. */
  brokerUrl: string;
  makeSheet: (sheet: CredentialSheet) => Promise<Uint8Array>;
}

interface ConfirmedNodes {
  nodes: readonly SeenCredentials[];
  code: string;
}

/**
 * Decision 0040. Secrets are in the answer that made them: the database has their hashes, activities and the log have nothing of them. Brokers find
 * by themselves what changed, and let go of who is connected with what is void.
 */
export function createIssuedCredentials({ pool, store, twoFactor, clock, brokerUrl, makeSheet }: IssuedCredentialsDependencies) {
  /** Everything that can refuse before the code is spent; then again, now that no one else can change it. */
  async function confirmed<T>(
    caller: Caller,
    { nodes, code }: ConfirmedNodes,
    refuse: (state: NodeCredentialState) => void,
    act: (client: PoolClient, states: NodeCredentialState[]) => Promise<T>,
  ): Promise<T> {
    const serials = nodes.map(({ serialNumber }) => Number(serialNumber));
    const check = (states: NodeCredentialState[]) => {
      const found = new Map(states.map((state) => [state.serialNumber, state]));
      for (const { serialNumber, version } of nodes) {
        const state = found.get(serialNumber);
        if (!state) throw notFound(say`Node ${serialNumber}`);
        if (state.version !== version)
          throw conflict(say`The credentials of node ${serialNumber} were changed meanwhile. Look at them again`);
        refuse(state);
      }
      return states;
    };
    check(await readCredentialStates(pool, serials));
    await twoFactor.usePasscode(caller, code);
    return await inTransaction(pool, async (client) => act(client, check(await lockCredentialStates(client, serials))));
  }

  /** Within a transaction that has locked these nodes. */
  async function issueWithin(client: PoolClient, caller: Caller, states: readonly NodeCredentialState[]): Promise<NodeCredentials[]> {
    const made = states.map((state) => ({ ...state, secret: newNodeSecret() }));
    await replaceNodeCredentials(
      client,
      made.map(({ serialNumber, secret }) => ({ serial: Number(serialNumber), secret })),
    );
    for (const { serialNumber, state } of states) {
      await recordActivity(client, {
        actorType: "User",
        actor: caller.username,
        action: "POST_NODE_CREDENTIALS",
        object: nodeObject(serialNumber),
        description: state === "in force" ? `Credentials of node ${serialNumber} were replaced` : `Node ${serialNumber} got credentials`,
        before: { credentials: state },
        after: { credentials: "in force" },
      });
    }
    return made.map(({ serialNumber, secret }) => nodeAccess(serialNumber, secret, brokerUrl));
  }

  return {
    states: (serials: readonly number[]): Promise<NodeCredentialState[]> => readCredentialStates(pool, serials),

    issue: (caller: Caller, request: ConfirmedNodes): Promise<NodeCredentials[]> =>
      confirmed(caller, request, refuseRetired, (client, states) => issueWithin(client, caller, states)),

    revoke: (caller: Caller, request: ConfirmedNodes): Promise<{ revoked: number }> =>
      confirmed(caller, request, refuseWithout, async (client, states) => {
        await revokeCredentials(
          client,
          states.map(({ serialNumber }) => Number(serialNumber)),
        );
        for (const { serialNumber } of states) {
          await recordActivity(client, {
            actorType: "User",
            actor: caller.username,
            action: "REVOKE_NODE_CREDENTIALS",
            object: nodeObject(serialNumber),
            description: `Credentials of node ${serialNumber} were revoked: it can no longer connect`,
            before: { credentials: "in force" },
            after: { credentials: "revoked" },
          });
        }
        return { revoked: states.length };
      }),

    /** Of secrets that someone was shown just now; those of before open nothing, so there is no sheet of them. */
    async sheet(caller: Caller, credentials: readonly { serialNumber: string; password: string }[]): Promise<Uint8Array> {
      const serials = credentials.map(({ serialNumber }) => Number(serialNumber));
      const [active, states] = await Promise.all([store.findActive(serials), readCredentialStates(pool, serials)]);
      const hashes = new Map(active.map(({ serial, secretHash }) => [String(serial), secretHash]));
      const places = new Map(states.map((state) => [state.serialNumber, state]));
      const pages = credentials.map(({ serialNumber, password }) => {
        if (hashes.get(serialNumber) !== hashNodeSecret(password).toString("base64"))
          throw conflict(say`This is not the password of node ${serialNumber}, or no longer. Issue new credentials`);
        const { customerName = "", facilityName = "", locationName = "" } = places.get(serialNumber) ?? {};
        return {
          ...nodeAccess(serialNumber, password, brokerUrl),
          place: [customerName, facilityName, locationName].filter(Boolean).join(" / "),
        };
      });
      return await makeSheet({ pages, madeBy: caller.username, madeAtMs: clock.now() });
    },
  };
}
export type IssuedCredentials = ReturnType<typeof createIssuedCredentials>;

function refuseRetired({ serialNumber, isDecommissioned }: NodeCredentialState): void {
  if (isDecommissioned) throw conflict(say`Node ${serialNumber} is decommissioned: credentials of it open nothing. Take it back first`);
}

function refuseWithout({ serialNumber, state }: NodeCredentialState): void {
  if (state !== "in force") throw conflict(say`Node ${serialNumber} has no credentials that could be revoked`);
}
