import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { CliError, helpText, readCliOptions, type CliOptions } from "./cli-options.ts";
import { startFleet, type Fleet } from "./fleet.ts";
import { readCredentials, readJsonFile } from "./input-files.ts";
import { makeFleet } from "./make-fleet.ts";
import { whyTooManyNodes } from "./open-files.ts";
import type { SimNode } from "./node-model/sim-node.ts";
import { FaultScriptError, readFaultScript } from "./scenarios/fault-script.ts";

const statusEveryMs = 5000;

try {
  const options = readCliOptions(process.argv.slice(2));
  if (options === "help") process.stdout.write(helpText);
  else run(options);
} catch (error) {
  if (!(error instanceof CliError || error instanceof FaultScriptError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

function run(options: CliOptions): void {
  const nodes = nodesOf(options);
  const problem = options.isDirect ? undefined : whyTooManyNodes(nodes.length);
  if (problem !== undefined) throw new CliError(problem);
  const startEpochSeconds = options.startEpochSeconds ?? Math.floor(Date.now() / 1000);
  const script = options.faultsFile ? readFaultScript(readJsonFile("--faults", options.faultsFile), startEpochSeconds) : [];
  mkdirSync(dirname(options.truthFile), { recursive: true });
  const truthFile = openSync(options.truthFile, "w");
  let bytes = 0;
  const fleet = startFleet({
    nodes,
    to: options.isDirect ? (_topic, payload) => void (bytes += payload.length) : options.url,
    seed: options.seed,
    speed: options.speed,
    startEpochSeconds,
    faults: { script, scale: options.faultScale },
    truthLog: (line) => void writeSync(truthFile, `${line}\n`),
    log: (message) => console.log(message),
    startDelayMaxSeconds: options.startDelayMaxSeconds,
    backfillDays: options.backfillDays,
    connectsPerSecond: options.connectsPerSecond,
  });
  console.log(`${nodes.length} nodes, ${options.isDirect ? "no sockets" : options.url}, truth log in ${options.truthFile}`);

  const status = setInterval(
    createStatusLine(fleet, () => bytes),
    statusEveryMs,
  );
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    clearInterval(status);
    clearTimeout(limit);
    await fleet.stop();
    closeSync(truthFile);
    console.log("Stopped");
  };
  const limit = options.durationSeconds === undefined ? undefined : setTimeout(() => void stop(), options.durationSeconds * 1000);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop());
  // The launcher that started it is gone.
  process.once("disconnect", () => void stop());
  process.channel?.unref();
  // A terminal that is closed takes no words any more.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

function nodesOf({ seed, nodes: count, firstSerial, intervalSeconds, credentialsFile }: CliOptions): SimNode[] {
  const secrets = credentialsFile ? readCredentials(credentialsFile) : undefined;
  return makeFleet({ seed, count, firstSerial }).map((node) => {
    const secret = secrets ? secrets.get(node.serial) : node.secret;
    if (secret === undefined) throw new CliError(`--credentials: the file ${credentialsFile} has no secret for node ${node.serial}`);
    return { ...node, scalarIntervalSeconds: intervalSeconds, secret };
  });
}

function createStatusLine(fleet: Fleet, bytes: () => number): () => void {
  let lastPublished = 0;
  let lastBytes = 0;
  return () => {
    const { nodes, connected, online, published, historical, missed, buffered, malformed, commands, epochSeconds } = fleet.stats();
    const rate = Math.round(((published - lastPublished) * 1000) / statusEveryMs);
    const volume = bytes() > 0 ? ` (${Math.round((bytes() - lastBytes) / statusEveryMs)} kB/s)` : "";
    lastPublished = published;
    lastBytes = bytes();
    console.log(
      `${new Date(epochSeconds * 1000).toISOString().slice(0, 19)}Z  ${connected}/${nodes} connected, ${online} online, ` +
        `${rate} messages/s${volume}, ${buffered} buffered, ${historical} re-sent, ${missed} missed, ${malformed} malformed, ${commands} commands`,
    );
  };
}
