import { nodeTopic, sparkplugNamespace } from "@busbar/sparkplug/topic.ts";
import { Gauge, type Registry } from "prom-client";
import type { GroupHold } from "#features/telemetry/node-groups/node-groups.store.ts";
import type { Ingest } from "#features/telemetry/scalars/scalars.ingest.ts";
import type { Clock } from "#lib/clock.ts";
import { createLimitedLog } from "#lib/limited-log.ts";
import type { Log } from "#lib/log.ts";
import { hostStateTopic, saysOffline, stateMessage, stateTime } from "./host-state.ts";
import { createTurns } from "./in-turn.ts";
import { addressOf, type MqttLink } from "./mqtt-link.ts";
import { createSpokenVersion } from "./spoken-version.ts";
import { createStandingLink, type StandingLink, type StandingLinkOptions } from "./standing-link.ts";

export interface ExternalBrokerOptions {
  url: string;
  /** Unique for each process. */
  worker: string;
  ingest: Pick<Ingest, "submit" | "isFull" | "whenRoom">;
  /** The broker can be reached. */
  noteUp: () => void;
  /** A group is listened to again: of what came meanwhile something may be lost. */
  noteGap: (hold: GroupHold) => void;
  /** A time for STATE, later than all before. */
  nextStateTime: (notBeforeMs?: number) => Promise<number>;
  clock: Clock;
  log: Log;
  registry: Registry;
  firstBackoffMs?: number;
}

/** This process at a broker elsewhere: a session for each group of nodes that it holds, and one for what it says. */
export interface ExternalBroker {
  start(): void;
  stop(): Promise<void>;
  /** Begins and ends the session of a group, or that of the host. */
  begin: (hold: GroupHold) => void;
  handOver(hold: GroupHold, isLastWorker: boolean): Promise<void>;
  drop: (hold: GroupHold) => void;
  isListening: (hold: GroupHold) => boolean;
  /** Whether the broker can be reached, or could be a moment ago. */
  canListen: () => boolean;
  /** Nodes wait for the host: it is there once everything is listened to. */
  noteAllListening: (areAll: boolean) => void;
  publishCommand: (topic: string, payload: Uint8Array) => void;
  /** Why nothing can come in, undefined while connected. */
  problem(): string | undefined;
}

const connectAtOnce = 8;
/** What has come in is stored and acknowledged in that time, or comes again for the next worker. */
const handOverMs = 2_000;
/** A broker that restarts is away for all workers: none of them gives up its groups at once. */
const awayMs = 5_000;
/** Groups that no one may listen to must not keep the others' nodes waiting for ever. */
const stateAfterMs = 15_000;
const clockToleranceMs = 1_000;
const groupPattern = new RegExp(`^${sparkplugNamespace}/n(?:[0-5][0-9]|6[0-3])/`);

export function createExternalBroker(options: ExternalBrokerOptions): ExternalBroker {
  const { worker, ingest, noteUp, noteGap, nextStateTime, clock, log, registry, firstBackoffMs = 500 } = options;
  const url = new URL(options.url);
  const version = createSpokenVersion(clock);
  const common = {
    url,
    version,
    inTurn: createTurns(connectAtOnce),
    isFull: ingest.isFull,
    whenRoom: ingest.whenRoom,
    clock,
    limitedLog: createLimitedLog(log, clock),
    firstBackoffMs,
  } satisfies Partial<StandingLinkOptions>;
  const sessions = new Map<GroupHold, StandingLink>();
  let lastUpAt: number | undefined;
  let areAllListening = false;

  const gauge: Gauge = new Gauge({
    name: "busbar_mqtt_connections",
    help: "Node groups that this process listens to at the external broker",
    registers: [registry],
    collect: () => gauge.set([...sessions.values()].filter((session) => session.current()).length),
  });

  /** Says commands, and shows whether the broker can be reached. */
  const speaker = createStandingLink({
    ...common,
    clientId: `busbar-worker-${worker}`,
    session: "none",
    subscriptions: [],
    onMessage: () => undefined,
    onUp() {
      log.info({ broker: addressOf(url), mqtt: version.current === 5 ? "5" : "3.1.1" }, "connected to the MQTT broker");
      noteUp();
    },
  });

  const groupSession = (hold: GroupHold): StandingLink =>
    createStandingLink({
      ...common,
      clientId: `busbar-${hold.name}`,
      session: "kept",
      subscriptions: [{ filter: `${sparkplugNamespace}/${hold.name}/#`, qos: 1 }],
      onMessage: (topic, payload, qos, done) => ingest.submit(topic, payload, qos === 1, done, hold),
      onUp: (link) => {
        if (!link.hadSession && hold.epoch > 1)
          common.limitedLog(
            "warn",
            "session-lost",
            { group: hold.name },
            "the MQTT broker had not kept the session of a group: what came meanwhile is lost",
          );
        noteGap(hold);
      },
    });

  let host: ReturnType<typeof createHost> | undefined;
  /** The platform's own presence: nodes wait for it, and begin anew when it has been away. */
  function createHost() {
    let bornAtMs = 0;
    let isStated = false;
    const beganAt = clock.monotonic();
    const state = async (link: MqttLink) => {
      isStated = true;
      await link.publish(stateMessage(true, bornAtMs));
    };
    const noteFailure = (error: unknown) =>
      common.limitedLog("warn", "state", { err: error }, "the state of the platform could not be published");
    const session: StandingLink = createStandingLink({
      ...common,
      clientId: "busbar-host",
      session: "brief",
      // Births of groups that there are not: their nodes are misconfigured, and would be heard by no one.
      subscriptions: [
        { filter: hostStateTopic, qos: 1 },
        { filter: nodeTopic("NBIRTH", "+", "+"), qos: 0 },
      ],
      async makeWill() {
        isStated = false;
        bornAtMs = await nextStateTime();
        return stateMessage(false, bornAtMs);
      },
      onMessage(topic, payload, qos, done) {
        done();
        if (topic === hostStateTopic) hearState(payload.toString());
        else if (!groupPattern.test(topic)) ingest.submit(topic, payload, false, () => undefined);
      },
      onUp: () => stateWhenReady(),
    });
    const hearState = (payload: string) => {
      const link = session.current();
      const statedAtMs = stateTime(payload);
      if (statedAtMs !== undefined && statedAtMs > bornAtMs + clockToleranceMs) {
        const details = { stated: new Date(statedAtMs).toISOString() };
        const words = "the state of the platform at the MQTT broker is from the future: the clock of a host is or was off";
        common.limitedLog("error", "state-time", details, words);
        // Nodes would not believe an earlier one.
        nextStateTime(statedAtMs + 1).then(() => session.current()?.drop(), noteFailure);
        return;
      }
      if (isStated && link && saysOffline(payload)) state(link).catch(noteFailure);
    };
    const stateWhenReady = () => {
      const link = session.current();
      if (!link || isStated || !(areAllListening || clock.monotonic() - beganAt > stateAfterMs)) return;
      state(link).catch(noteFailure);
    };
    return {
      session,
      stateWhenReady,
      async end(isLastWorker: boolean) {
        const link = session.current();
        // Its own word that the platform goes is not to be contradicted.
        isStated = false;
        areAllListening = false;
        if (link && isLastWorker) await link.publish(stateMessage(false, await nextStateTime())).catch(noteFailure);
        await session.end(handOverMs);
      },
    };
  }

  return {
    start: () => speaker.start(),
    stop: () => speaker.end(handOverMs),
    begin(hold) {
      if (hold.name === "host") {
        host = createHost();
        sessions.set(hold, host.session);
      } else sessions.set(hold, groupSession(hold));
      sessions.get(hold)!.start();
    },
    async handOver(hold, isLastWorker) {
      const session = sessions.get(hold);
      await (hold.name === "host" ? host?.end(isLastWorker) : session?.end(handOverMs));
      sessions.delete(hold);
    },
    drop(hold) {
      sessions.get(hold)?.drop();
      sessions.delete(hold);
    },
    isListening: (hold) => sessions.get(hold)?.current() !== undefined,
    canListen() {
      if (speaker.current()) lastUpAt = clock.monotonic();
      return lastUpAt !== undefined && clock.monotonic() - lastUpAt < awayMs;
    },
    noteAllListening(areAll) {
      areAllListening = areAll;
      host?.stateWhenReady();
    },
    publishCommand(topic, payload) {
      void speaker.current()?.publish({ topic, payload: Buffer.from(payload), qos: 0, retain: false });
    },
    problem() {
      const down = [speaker, ...sessions.values()].map((link) => link.problem()).filter((problem) => problem !== undefined);
      return (down.find(({ isRefusal }) => isRefusal) ?? down[0])?.sentence;
    },
  };
}
