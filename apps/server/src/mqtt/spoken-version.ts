import type { Clock } from "#lib/clock.ts";
import type { MqttVersion } from "./mqtt-link.ts";

/** What a broker makes of a CONNECT of one version. */
export type VersionAnswer = "speaks" | "silent" | "unreachable";
type Ask = (version: MqttVersion) => Promise<VersionAnswer>;

/** Which version the broker speaks; shared by all links to it, so that one learns it for the others. */
export interface SpokenVersion {
  readonly current: MqttVersion;
  /** The broker says that it does not speak it. */
  noteForeign(version: MqttVersion): void;
  /** A CONNECT of it was not answered. */
  noteSilence(version: MqttVersion, ask: Ask): Promise<void>;
  noteAnswer(): void;
  /** The broker was away: one that spoke 3.1.1 only may be a newer one now. */
  lookAgain(ask: Ask): Promise<void>;
}

/** After so many without an answer, one after the other, the broker is asked in both versions. */
const silencesInARow = 2;
const lookAgainMs = 60_000;

const otherThan = (version: MqttVersion): MqttVersion => (version === 5 ? 4 : 5);

export function createSpokenVersion(clock: Clock): SpokenVersion {
  let current: MqttVersion = 5;
  let silences = 0;
  let lookedAt = -Infinity;
  let asking: Promise<void> | undefined;

  const once = (ask: () => Promise<void>): Promise<void> => {
    asking ??= ask().finally(() => (asking = undefined));
    return asking;
  };

  return {
    get current() {
      return current;
    },
    noteForeign(version) {
      if (version === current) current = otherThan(version);
    },
    async noteSilence(version, ask) {
      if (version !== current || ++silences < silencesInARow) return;
      silences = 0;
      // RabbitMQ before 3.13 ends the connection of who speaks MQTT 5. One that was stopped or frozen answers neither version, or both.
      await once(async () => {
        if ((await ask(otherThan(version))) === "speaks" && (await ask(version)) === "silent") {
          current = otherThan(version);
          lookedAt = clock.monotonic();
        }
      });
    },
    noteAnswer: () => void (silences = 0),
    async lookAgain(ask) {
      if (current === 5 || clock.monotonic() - lookedAt < lookAgainMs) return;
      await once(async () => {
        const answer = await ask(5);
        if (answer !== "unreachable") lookedAt = clock.monotonic();
        if (answer === "speaks") current = 5;
      });
    },
  };
}
