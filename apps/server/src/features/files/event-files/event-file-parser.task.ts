import { counted } from "@busbar/contract/values/counted.ts";
import type { EventKind } from "@busbar/contract/files/event-files.ts";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { FoundFault } from "#features/alarms/fault-notices/fault-notices.service.ts";
import type { NotifyExtractionFailures } from "#features/alarms/fleet-notices/extraction-notices.ts";
import { cleanText } from "#lib/clean-text.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { NotYet, startWalk, type Walk } from "#services/walk.ts";
import { fileItem } from "#shared/file-item-sql.ts";
import type { EventFileParserStore, NodeEventRow, PartnerRow, PendingEventRow } from "./event-file-parser.store.ts";
import { partnerName } from "./event-name.ts";
import type { EventReader } from "./event-reader.ts";
import type { ParsedEvent } from "./event-record.thread.ts";
import { eventOfFile, readAgain, recordFindings } from "./record-event.ts";
import type { EventKey, RecordedEventsStore } from "./recorded-events.store.ts";

export interface EventFileParserDependencies {
  pool: Pool;
  store: EventFileParserStore;
  events: RecordedEventsStore;
  read: EventReader;
  clock: Clock;
  /** Notifies the subscribers of a location; inside the transaction that stores the event. */
  notify: (client: PoolClient, faults: readonly FoundFault[]) => Promise<void>;
  /** Notifies people of nodes whose files failed just now. */
  notifyFailures?: NotifyExtractionFailures;
}

const name = "EventFileParser";
const findSize = 50;
/** Old events that one run reads again: new files must not wait for them. */
const mostReadAgain = 200;
/** How long one file of a pair waits for the other one. */
const partnerWaitSeconds = 600;
/** No one is notified of what came earlier: it waited while the service was off. */
const newsSeconds = 86_400;

/** Kinds of node events that files make, the more significant the higher. */
const eventKinds: Record<EventKind, { relay: string; rank: number }> = {
  event: { relay: "RELAY_EVENT", rank: 1 },
  alarm: { relay: "relayAlarm", rank: 2 },
  trip: { relay: "relayTrip", rank: 3 },
};
const otherNodesKind = "EVENT_FILE";
const rankOf = (kind: string): number | undefined =>
  kind === otherNodesKind ? 1 : Object.values(eventKinds).find(({ relay }) => relay === kind)?.rank;

/**
 * Reads event files, says of each whether it can be used, and makes node events and notices of what they contain. Every file is a transaction
 * of its own; whatever stops it, the file still waits afterwards.
 */
export function createEventFileParser({ pool, store, events, read, clock, notify, notifyFailures }: EventFileParserDependencies): Task {
  const parse = async (file: PendingEventRow, walk: Walk): Promise<void> => {
    const partner = await store.findPartner(file);
    const awaited = partner ? undefined : partnerName(file.fileName);
    const waitsUntil = file.receivedAt + partnerWaitSeconds;
    if (awaited !== undefined && clock.now() / 1000 < waitsUntil) throw new NotYet(`Waits for ${awaited}`, waitsUntil);
    const refusal = refusalOf(file);
    const parsed = refusal === undefined ? await read(file, partner) : undefined;
    const reason = refusal ?? parsed?.problem;
    const now = clock.now() / 1000;
    await inTransaction(pool, async (client) => {
      const failedReason = reason === undefined ? null : cleanText(reason, 200);
      const isOurs = await store.finish(client, file, refusal === undefined ? partner : undefined, failedReason, now);
      if (isOurs && parsed)
        await recordFindings(events, client, eventOfFile(file.fileName), { fileName: nameOfRecord(file, partner), parsed });
      if (isOurs && failedReason !== null) await notifyFailures?.(client, [file.serial], now);
      // A file that says nothing of itself is no event.
      if (!isOurs || !parsed || (parsed.problem !== undefined && parsed.labels.length === 0)) return;
      const event = eventOf(file, partner, parsed);
      const isNews = await record(client, event);
      if (isNews && isRelay(file) && now - file.receivedAt < newsSeconds) await notify(client, [faultOf(event, parsed, failedReason)]);
    });
    if (partner) await walk.takeBack("file", [fileItem(partner)]);
  };

  const measureAgain = async (event: EventKey): Promise<void> => {
    const files = await readAgain(read, await events.filesOf(event));
    await inTransaction(pool, async (client) => {
      for (const file of files) await recordFindings(events, client, event, file);
      await events.markMeasured(client, event);
    });
  };

  /** True when nothing of the event was known, or less. */
  const record = async (client: PoolClient, event: NodeEventRow): Promise<boolean> => {
    const known = await store.findEvent(client, event);
    if (!known) {
      await store.addEvent(client, event);
      return true;
    }
    const rank = rankOf(known.kind);
    if (rank === undefined || rank >= (rankOf(event.kind) ?? 0)) return false;
    await store.changeEvent(client, known.kind, { ...event, at: known.at });
    return true;
  };

  return {
    name,
    intervalSeconds: 10,
    did: (count) => `Read ${counted(count, "event file")}`,
    async run(signal) {
      const walk = startWalk({ pool, clock, service: name, signal });
      const total = await walk.throughQueue({
        kind: "file",
        find: (ids) => store.findPending(findSize, ids),
        idOf: fileItem,
        async work(files) {
          for (const file of files) await parse(file, walk);
          return files.length;
        },
        findSize,
        batchSize: 1,
      });
      let left = mostReadAgain;
      await walk.throughQueue({
        kind: "event",
        find: (ids) => events.findUnmeasured(findSize, ids),
        idOf: ({ eventName }) => eventName,
        async work(found) {
          for (const event of found) await measureAgain(event);
          left -= found.length;
          return found.length;
        },
        findSize,
        batchSize: 1,
        isOver: () => left <= 0,
      });
      return walk.end(total);
    },
  };
}

function refusalOf({ serial, nodeType, isDecommissioned }: PendingEventRow): string | undefined {
  if (nodeType === null) return `Unknown node ${serial}`;
  return isDecommissioned ? "Node is decommissioned" : undefined;
}

/** Whoever has no scalar stream is a relay or a recorder, whose files are the only word of it. */
const isRelay = ({ nodeType }: PendingEventRow): boolean => nodeType !== "Node" && nodeType !== "subNode";

/** Of a pair the configuration stands for the record. */
const nameOfRecord = (file: PendingEventRow, partner: PartnerRow | undefined): string =>
  partner?.part.endsWith("cfg") ? partner.fileName : file.fileName;

function eventOf(file: PendingEventRow, partner: PartnerRow | undefined, parsed: ParsedEvent): NodeEventRow {
  const { serial, timestamp, part } = file;
  const fileName = nameOfRecord(file, partner);
  const entries = [["fileName", fileName], ["triggeredAt", parsed.triggeredAt ?? ""], ...parsed.labels] as const;
  return {
    serial,
    // The number within the second, so that two events of one second are two.
    at: timestamp + Number(part.slice(0, 4)) / 1000,
    kind: isRelay(file) ? eventKinds[parsed.kind].relay : otherNodesKind,
    body: Object.fromEntries(
      entries.map(([name, value]) => [cleanText(name, 60), cleanText(value, 200)]).filter(([, value]) => value !== ""),
    ),
    stem: fileName.slice(0, fileName.lastIndexOf(".")),
  };
}

function faultOf({ serial, at, kind, body }: NodeEventRow, parsed: ParsedEvent, failedReason: string | null): FoundFault {
  const fact = (name: string, value: string | undefined) => (value ? [`${name}: ${value}`] : []);
  return {
    serialNumber: serial,
    kind,
    at,
    value: undefined,
    limit: 0,
    facts: [
      ...fact("Relay", body["Relay"] ?? body["Station"]),
      ...fact("Event", body["Event"] ?? body["Newest event"]),
      ...fact("Targets", body["Targets"]),
      ...fact("Trigger, by the relay's own clock", parsed.triggeredAt && cleanText(parsed.triggeredAt, 60)),
      ...fact("File", body["fileName"]),
      ...fact("The file cannot be read as a whole", failedReason ?? undefined),
    ],
  };
}
