import {
  noteOwnFields,
  type LocationNote,
  type LocationNoteForm,
  type LocationNotePatch,
  type NewLocationNote,
} from "@busbar/contract/directory/location-notes.ts";
import type { Pool, PoolClient } from "pg";
import type { Db } from "#db/statement.ts";
import { isEnterable } from "@busbar/contract/values/local-time.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import { changedFields, changedMeanwhile } from "#lib/changed-meanwhile.ts";
import { conflict, gone, invalid } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import {
  findNote,
  findNotes,
  holdLocation,
  insertNote,
  lockNote,
  writeArchived,
  writeNote,
  type NotedLocation,
} from "./location-notes.store.ts";
import { refuseOtherValues } from "#lib/own-fields.ts";
import { recordActivity } from "#shared/activities.store.ts";
import { readChangesSince } from "#shared/recorded-changes.store.ts";
import { toLocationNote } from "./location-notes.view.ts";

const objectOf = (id: number) => `note/${id}`;

/** NOT-01 to NOT-06 */
export function createLocationNotes(pool: Pool) {
  async function setArchived(caller: Caller, locationId: number, id: number, isArchived: boolean): Promise<LocationNote> {
    return await inTransaction(pool, async (client) => {
      const location = await requireLocation(client, locationId);
      const before = await requireNote(client, locationId, id);
      if (before.isArchived === isArchived) throw conflict(isArchived ? "This note is archived already" : "This note is active already");
      await writeArchived(client, id, caller.userId, isArchived);
      const after = await readNote(client, locationId, id);
      await recordActivity(client, {
        actorType: "User",
        actor: caller.username,
        action: isArchived ? "ARCHIVE_NOTE" : "UNARCHIVE_NOTE",
        object: objectOf(id),
        description: `A note of ${location.name} was ${isArchived ? "archived" : "made active again"}`,
        before,
        after,
      });
      return after;
    });
  }

  return {
    async list(locationId: number, withArchived: boolean): Promise<LocationNote[]> {
      await requireLocation(pool, locationId);
      return (await findNotes(pool, locationId, { withArchived })).map(toLocationNote);
    },

    async create(caller: Caller, locationId: number, values: NewLocationNote): Promise<LocationNote> {
      return await inTransaction(pool, async (client) => {
        const location = await requireLocation(client, locationId);
        refuseOtherYears(values, location);
        const id = await insertNote(client, locationId, caller.userId, values);
        const note = await readNote(client, locationId, id);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "POST_NOTE",
          object: objectOf(id),
          description: `A note was added to ${location.name}`,
          after: note,
        });
        return note;
      });
    },

    async update(caller: Caller, locationId: number, id: number, { revision, ...patch }: LocationNotePatch): Promise<LocationNote> {
      return await inTransaction(pool, async (client) => {
        const location = await requireLocation(client, locationId);
        const before = await requireNote(client, locationId, id);
        refuseOtherValues(before, patch, noteOwnFields);
        const changes = changedFields(before, patch);
        if (before.isArchived) throw conflict("This note is archived. Unarchive it before you change it");
        if (changes.length === 0) return before;
        if (revision !== undefined && revision !== before.revision) {
          const refusal = changedMeanwhile("this note", changes, await readChangesSince(client, objectOf(id), revision), revision);
          if (refusal) throw refusal;
        }
        const form: LocationNoteForm = { ...before, ...(patch as Partial<LocationNoteForm>) };
        refuseOtherYears(form, location);
        await writeNote(client, id, caller.userId, form);
        const after = await readNote(client, locationId, id);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "PATCH_NOTE",
          object: objectOf(id),
          description: `A note of ${location.name}: ${changes.join(", ")} changed`,
          before,
          after,
        });
        return after;
      });
    },

    archive: (caller: Caller, locationId: number, id: number) => setArchived(caller, locationId, id, true),
    unarchive: (caller: Caller, locationId: number, id: number) => setArchived(caller, locationId, id, false),
  };
}
export type LocationNotes = ReturnType<typeof createLocationNotes>;

async function requireLocation(db: Db, id: number): Promise<NotedLocation> {
  const location = await holdLocation(db, id);
  if (!location) throw gone(say`This location`);
  return location;
}

const noteGone = () => gone("This note");

async function requireNote(client: PoolClient, locationId: number, id: number): Promise<LocationNote> {
  const row = await lockNote(client, locationId, id);
  if (!row) throw noteGone();
  return toLocationNote(row);
}

async function readNote(client: PoolClient, locationId: number, id: number): Promise<LocationNote> {
  const row = await findNote(client, locationId, id);
  if (!row) throw noteGone();
  return toLocationNote(row);
}

// COM-08
function refuseOtherYears({ timestamp }: LocationNoteForm, { timezone }: NotedLocation): void {
  if (!isEnterable(timestamp, timezone)) throw invalid("timestamp", `is in 2010 to 2059 as clocks in ${timezone} show it`);
}
