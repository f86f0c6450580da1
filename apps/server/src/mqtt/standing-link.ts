import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "#lib/clock.ts";
import type { LimitedLog } from "#lib/limited-log.ts";
import { unreachable, type BrokerProblem } from "./broker-answers.ts";
import {
  addressOf,
  ForeignVersionError,
  LinkError,
  openMqttLink,
  UnansweredError,
  type LinkMessage,
  type MqttLink,
  type MqttLinkOptions,
  type MqttVersion,
} from "./mqtt-link.ts";
import type { SpokenVersion, VersionAnswer } from "./spoken-version.ts";

export interface StandingLinkOptions extends Omit<MqttLinkOptions, "version" | "will" | "signal"> {
  version: SpokenVersion;
  /** Made for each attempt: a will that was used again would carry the time of an earlier connection (Sparkplug 3.0, chapter 5.4). */
  makeWill?: () => Promise<LinkMessage>;
  onUp: (link: MqttLink) => void;
  /** Lets some attempts through at a time. */
  inTurn: <T>(attempt: () => Promise<T>) => Promise<T>;
  clock: Clock;
  limitedLog: LimitedLog;
  firstBackoffMs: number;
}

/** A link that is made again whenever it breaks. */
export interface StandingLink {
  start(): void;
  /** The link while it is up. */
  current(): MqttLink | undefined;
  /** Why it is not up. */
  problem(): BrokerProblem | undefined;
  /** Ends it in order. */
  end(patienceMs: number): Promise<void>;
  /** Ends it without a word. */
  drop(): void;
}

const maxBackoffMs = 5_000;

export function createStandingLink(options: StandingLinkOptions): StandingLink {
  const { url, version, makeWill, onUp, inTurn, clock, limitedLog, firstBackoffMs } = options;
  const stopping = new AbortController();
  /** An attempt that ends too late would take the session away from who has taken it over. */
  const dropping = new AbortController();
  let link: MqttLink | undefined;
  let problem: BrokerProblem | undefined = { sentence: `the MQTT broker ${addressOf(url)} has not answered yet`, isRefusal: false };
  let running: Promise<void> | undefined;

  const note = (why: BrokerProblem) => {
    problem = why;
    if (!stopping.signal.aborted)
      limitedLog(
        why.isRefusal ? "error" : "warn",
        `broker ${why.sentence}`.slice(0, 80),
        { reason: why.sentence },
        "a link to the MQTT broker is down",
      );
  };

  const open = async (): Promise<MqttLink | undefined> => {
    const will = await makeWill?.();
    if (stopping.signal.aborted) return undefined;
    return await openMqttLink({ ...options, version: version.current, signal: dropping.signal, ...(will ? { will } : {}) });
  };

  /** Apart from the link's session. */
  const ask = async (asked: MqttVersion): Promise<VersionAnswer> => {
    const clientId = `${options.clientId}-version`;
    try {
      const opened = await openMqttLink({
        ...options,
        clientId,
        version: asked,
        session: "none",
        subscriptions: [],
        signal: dropping.signal,
      });
      opened.drop();
      return "speaks";
    } catch (error) {
      // Ended by us: it says nothing of the broker, and the other links speak what this one learns.
      if (dropping.signal.aborted) return "unreachable";
      if (error instanceof ForeignVersionError || error instanceof UnansweredError) return "silent";
      return error instanceof LinkError && error.problem.isRefusal ? "speaks" : "unreachable";
    }
  };

  const attempt = async (): Promise<void> => {
    await version.lookAgain(ask);
    const tried = version.current;
    try {
      link = await inTurn(open);
    } catch (error) {
      if (error instanceof UnansweredError && !stopping.signal.aborted) await version.noteSilence(tried, ask);
      if (!(error instanceof ForeignVersionError)) throw error;
      version.noteForeign(tried);
      link = await inTurn(open);
    }
    version.noteAnswer();
    if (link === undefined) return;
    if (stopping.signal.aborted) return link.drop();
    problem = undefined;
    failures = 0;
    onUp(link);
    const why = await link.ended;
    link = undefined;
    note(why);
  };

  let failures = 0;
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await attempt();
      } catch (error) {
        link = undefined;
        if (error instanceof ForeignVersionError)
          note({ sentence: `the MQTT broker ${addressOf(url)} speaks neither MQTT 5 nor 3.1.1`, isRefusal: true });
        else note(error instanceof LinkError ? error.problem : unreachable(addressOf(url), error as Error, clock.now()));
      }
      const backoffMs = Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.min(failures++, 10)) * (0.5 + Math.random());
      await wait(backoffMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  return {
    start() {
      running = run();
    },
    current: () => link,
    problem: () => problem,
    async end(patienceMs) {
      stopping.abort();
      await link?.end(patienceMs);
      dropping.abort();
      await running;
    },
    drop() {
      stopping.abort();
      dropping.abort();
    },
  };
}
