import { mostNotes, type IncidentDetails, type NewIncidentNote, type updateIncident } from "@busbar/contract/alarms/incidents.ts";
import type { HandlerInput } from "@busbar/contract/endpoint.ts";
import type { Pool } from "pg";
import type { Db } from "#db/statement.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import { changedFields, changedMeanwhile } from "#lib/changed-meanwhile.ts";
import type { Clock } from "#lib/clock.ts";
import { conflict, gone, invalid } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { recordActivity } from "#shared/activities.store.ts";
import { readChangesSince } from "#shared/recorded-changes.store.ts";
import { createIncidentsReadModel, type IncidentFilter } from "./incidents.read-model.ts";
import {
  countIncidentNotes,
  countRevision,
  findOwner,
  insertIncidentNote,
  lockIncident,
  writeAcknowledgement,
  writeOwner,
} from "./incidents.store.ts";

type IncidentPatch = HandlerInput<typeof updateIncident>["body"];

const objectOf = (id: number): string => `incident/${id}`;
const incidentGone = () => gone(say`This incident`);

/** What people do about incidents; the service Incidents opens and ends them. */
export function createIncidentCare({ pool, clock }: { pool: Pool; clock: Clock }) {
  const readModel = createIncidentsReadModel(pool);
  const nowSeconds = () => clock.now() / 1000;

  async function find(id: number, db: Db = pool): Promise<IncidentDetails> {
    const found = await createIncidentsReadModel(db).find(id);
    if (!found) throw incidentGone();
    return found;
  }

  return {
    list: (filter: IncidentFilter) => readModel.list(filter),
    people: () => readModel.people(),
    find: (id: number) => find(id),

    async update(caller: Caller, id: number, { revision, ...patch }: IncidentPatch): Promise<IncidentDetails> {
      return await inTransaction(pool, async (client) => {
        const before = await lockIncident(client, id);
        if (!before) throw incidentGone();
        const changes = changedFields({ ...before }, patch);
        if (changes.length === 0) return await find(id, client);
        if (revision !== undefined && revision !== before.revision) {
          const refusal = changedMeanwhile("this incident", changes, await readChangesSince(client, objectOf(id), revision), revision);
          if (refusal) throw refusal;
        }
        const { owner, isAcknowledged } = patch;
        if (owner !== undefined) {
          const ownerId = owner === "" ? null : await findOwner(client, owner);
          if (ownerId === undefined) throw invalid("owner", "is no one of the staff who may sign in");
          await writeOwner(client, id, ownerId);
        }
        if (isAcknowledged !== undefined && isAcknowledged !== before.isAcknowledged)
          await writeAcknowledgement(client, id, isAcknowledged ? caller.userId : null, nowSeconds());
        await countRevision(client, id);
        const after = await lockIncident(client, id);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "PATCH_INCIDENT",
          object: objectOf(id),
          description: `Incident ${id}: ${wordsOf(patch, changes)}`,
          before,
          after,
        });
        return await find(id, client);
      });
    },

    async addNote(caller: Caller, id: number, { note }: NewIncidentNote): Promise<IncidentDetails> {
      return await inTransaction(pool, async (client) => {
        if (!(await lockIncident(client, id))) throw incidentGone();
        if ((await countIncidentNotes(client, id)) >= mostNotes)
          throw conflict(say`This incident has reached its limit of ${mostNotes}: it takes no more notes`);
        await insertIncidentNote(client, id, caller.userId, note, nowSeconds());
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "POST_INCIDENT_NOTE",
          object: objectOf(id),
          description: `A note was added to incident ${id}`,
          after: { note },
        });
        return await find(id, client);
      });
    },
  };
}
export type IncidentCare = ReturnType<typeof createIncidentCare>;

function wordsOf({ owner, isAcknowledged }: IncidentPatch, changes: readonly string[]): string {
  return [
    ...(changes.includes("owner") ? [owner === "" ? "no one looks after it" : `given to ${owner}`] : []),
    ...(changes.includes("isAcknowledged") ? [isAcknowledged ? "acknowledged" : "no longer acknowledged"] : []),
  ].join(", ");
}
