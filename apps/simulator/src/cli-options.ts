import { parseArgs } from "node:util";
import { parseBrokerUrl } from "./tcp-transport.ts";

export interface CliOptions {
  nodes: number;
  firstSerial: number;
  seed: number;
  speed: number;
  startEpochSeconds: number | undefined;
  backfillDays: number;
  url: string;
  isDirect: boolean;
  credentialsFile: string | undefined;
  faultsFile: string | undefined;
  faultScale: number;
  truthFile: string;
  startDelayMaxSeconds: number;
  connectsPerSecond: number | undefined;
  intervalSeconds: number;
  durationSeconds: number | undefined;
}

/** The command line cannot be used; the message names the argument. */
export class CliError extends Error {
  override name = "CliError";
}

export const helpText = `Usage: npm run sim -- [options]

A fleet of simulated nodes that talk Sparkplug B to a broker.

  --nodes N             number of nodes, 1 to 90000 (100)
  --serials FROM        first serial number (10000)
  --seed X              the same seed gives the same fleet, faults and values (1)
  --url URL             broker, mqtt:// or mqtts:// (mqtt://127.0.0.1:1883)
  --credentials FILE    JSON map of serial number to secret
  --interval S          seconds between the scalars of a node (10)
  --speed S             simulated seconds per second, 1 to 3600 (1); give --start too
  --start T             start of the simulated time, ISO date or epoch seconds (now)
  --backfill-days D     history that each node sends first, 0 to 400 (0)
  --faults FILE         fault script: JSON list of {at, serial | facility, fault, params, durationS}
  --fault-scale F       multiplies the rates of the default fault mix; 0 turns it off (1)
  --truth FILE          what was injected, JSON lines (data/simulator-truth.jsonl)
  --start-delay S       a birth waits a random time up to this after the host comes online (30)
  --connects R          connections per second while the fleet starts, 1 to 10000 (200)
  --duration S          stop after this many seconds
  --direct              no sockets: counts what the nodes would publish
  --help                this text
`;

const text = { type: "string" } as const;

/** @throws CliError with a sentence that names the bad argument */
export function readCliOptions(args: readonly string[]): CliOptions | "help" {
  const values = parse(args);
  if (values.help) return "help";
  const number = (name: keyof typeof values, fallback: number, low: number, high: number, isWhole = true): number => {
    const value = values[name];
    if (value === undefined) return fallback;
    const parsed = Number(value);
    if (value === "" || !(parsed >= low && parsed <= high) || (isWhole && !Number.isInteger(parsed))) {
      throw new CliError(`--${name} must be ${isWhole ? "a whole number" : "a number"} from ${low} to ${high}, not "${String(value)}"`);
    }
    return parsed;
  };
  const options: CliOptions = {
    nodes: number("nodes", 100, 1, 90_000),
    firstSerial: number("serials", 10_000, 10_000, 99_999),
    seed: number("seed", 1, 0, 0xffff_ffff),
    speed: number("speed", 1, 1, 3600, false),
    startEpochSeconds: readStart(values.start),
    backfillDays: number("backfill-days", 0, 0, 400, false),
    url: values.url ?? "mqtt://127.0.0.1:1883",
    isDirect: values.direct ?? false,
    credentialsFile: values.credentials,
    faultsFile: values.faults,
    faultScale: number("fault-scale", 1, 0, 1000, false),
    truthFile: values.truth ?? "data/simulator-truth.jsonl",
    startDelayMaxSeconds: number("start-delay", 30, 0, 600, false),
    connectsPerSecond: values.connects === undefined ? undefined : number("connects", 0, 1, 10_000),
    intervalSeconds: number("interval", 10, 1, 3600),
    durationSeconds: values.duration === undefined ? undefined : number("duration", 0, 1, 1e9),
  };
  checkTogether(options);
  return options;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        nodes: text,
        serials: text,
        seed: text,
        url: text,
        credentials: text,
        interval: text,
        speed: text,
        start: text,
        "backfill-days": text,
        faults: text,
        "fault-scale": text,
        truth: text,
        "start-delay": text,
        connects: text,
        duration: text,
        direct: { type: "boolean" },
        help: { type: "boolean" },
      },
    }).values;
  } catch (error) {
    if (error instanceof TypeError) throw new CliError(error.message);
    throw error;
  }
}

function checkTogether({ url, nodes, firstSerial }: CliOptions): void {
  if (firstSerial + nodes - 1 > 99_999) {
    throw new CliError(`--serials ${firstSerial} leaves ${100_000 - firstSerial} serial numbers, fewer than --nodes ${nodes}`);
  }
  try {
    parseBrokerUrl(url);
  } catch (error) {
    throw new CliError(`--url: ${(error as Error).message}`);
  }
}

function readStart(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const epochSeconds = /^\d+$/.test(value) ? Number(value) : Date.parse(value) / 1000;
  // The wire's timestamps reach from 1970 to 2109
  if (!(epochSeconds >= 0 && epochSeconds < 4_000_000_000)) {
    throw new CliError(`--start must be an ISO date or epoch seconds before 2096, not "${value}"`);
  }
  return Math.floor(epochSeconds);
}
