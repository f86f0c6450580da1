import { eventsPerPage, parseEventName, type getEvent } from "@busbar/contract/files/recorded-events.ts";
import type { HandlerInput } from "@busbar/contract/endpoint.ts";
import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";
import type { Call, Handlers } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { timesOf } from "./event-times.ts";
import type { EventFilter, RecordedEventsReadModel } from "./recorded-events.read-model.ts";

type AskedFilter = HandlerInput<typeof getEvent>["query"];

export function recordedEventsHandlers(readModel: RecordedEventsReadModel, clock: Clock) {
  /** Whoever reads other names searches by those. */
  async function locationsWith(text: string, asShown: Call["asShown"]): Promise<number[]> {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (!asShown) return (await readModel.placesWith(words)).map(({ locationId }) => locationId);
    return (await readModel.placesWith([])).flatMap((place) => {
      const { locationName, facilityName, customerName } = asShown(place);
      const shown = `${locationName} ${facilityName} ${customerName}`.toLowerCase();
      return words.every((word) => shown.includes(word)) ? [place.locationId] : [];
    });
  }

  async function filterOf(asked: AskedFilter, asShown: Call["asShown"]): Promise<EventFilter> {
    const { text = "", node, location, facility, customer, kind, status, amperes, span, from, to } = asked;
    if (from !== undefined && to !== undefined && to < from) throw invalid("to", say`is not before from`);
    const words = text.trim();
    const isSerial = serialNumberPattern.test(words);
    const isTimed = span !== undefined || from !== undefined || to !== undefined;
    return {
      serial: node !== undefined ? Number(node) : isSerial ? Number(words) : undefined,
      location,
      facility,
      customer,
      locations: words === "" || isSerial ? undefined : await locationsWith(words, asShown),
      kind,
      status,
      amperes,
      times: isTimed ? timesOf({ span, from, to }, await readModel.zones(), clock.now() / 1000) : undefined,
    };
  }

  return {
    async getEvents({ query: { before, limit = eventsPerPage, ...asked } }, { asShown }) {
      return readModel.list(await filterOf(asked, asShown), before, limit);
    },
    async getEvent({ params: { eventName }, query }, { asShown }) {
      const key = parseEventName(eventName)!;
      const event = await readModel.find(key);
      if (!event) throw notFound(say`Event ${eventName}`);
      const filter = await filterOf(query, asShown);
      const [earlierEventName, laterEventName] = await Promise.all([
        readModel.neighbour(filter, key, "earlier"),
        readModel.neighbour(filter, key, "later"),
      ]);
      return { ...event, earlierEventName, laterEventName };
    },
  } satisfies Partial<Handlers>;
}
