import { setTimeout as pause } from "node:timers/promises";
import { groupOf } from "@busbar/sparkplug/topic.ts";
import { connectAsync } from "mqtt";
import { whyNoMosquitto } from "../lib/mosquitto.ts";
import { inWords, startCluster, type Cluster } from "./cluster.ts";

const perDeviceAndSecond = 30;
const longestTakeOverMs = 10_000;
/** How long it takes is judged from so many kills on: a test of one kill shares its machine with others. */
const killsToJudge = 5;
const controlMessages = 5;

/**
 * Kills each of two ingest workers so many times while nodes publish through a broker of others, and compares what that broker acknowledged
 * with what is stored. At the end the broker's sessions are deleted while no one listens: what is lost then must be seen.
 */
export async function killWorkers(kills: number): Promise<boolean> {
  const missing = whyNoMosquitto();
  if (missing !== undefined) {
    console.log(`workers: left out, because ${missing}`);
    return true;
  }
  const cluster = await startCluster();
  const { devices } = cluster;
  const workers = [await cluster.startWorker(), await cluster.startWorker()];
  await cluster.untilListening();
  await Promise.all(devices.map((device) => device.connect()));
  const sending = setInterval(() => {
    for (const device of devices) device.publish();
  }, 1_000 / perDeviceAndSecond);

  let slowestMs = 0;
  for (let kill = 0; kill < 2 * kills; kill++) {
    await pause(200 + Math.random() * 1_000);
    const victim = workers[kill % 2]!;
    await victim.kill();
    const started = cluster.startWorker();
    slowestMs = Math.max(slowestMs, await cluster.untilListening(victim));
    workers[kill % 2] = await started;
    await untilShared(cluster);
  }
  clearInterval(sending);
  await Promise.all(devices.map((device) => device.settled()));
  const comparison = await cluster.compare();
  console.log(
    `workers: ${kills} kills of each of two workers under ${devices.length * perDeviceAndSecond} msg/s (QoS 1) through Mosquitto`,
  );
  console.log(`  ${inWords(comparison)}; slowest take-over ${Math.round(slowestMs)} ms`);

  await Promise.all(workers.map((worker) => worker.kill()));
  const control = await loseOnPurpose(cluster);
  console.log(`  negative control, sessions deleted while no one listens: ${control} of ${devices.length * controlMessages} lost`);
  await cluster.stop();
  const isSoon = kills < killsToJudge || slowestMs <= longestTakeOverMs;
  return comparison.lost === 0 && comparison.extra === 0 && comparison.acknowledged > 0 && isSoon && control > 0;
}

/** Both workers have their share. */
async function untilShared({ pool }: Cluster): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(
      "select count(*)::int4 as count from node_group where name <> 'host' and expires_at > now() and is_listening group by worker",
    );
    if (rows.length === 2 && rows.every(({ count }) => count === 32)) return;
    await pause(50);
  }
}

async function loseOnPurpose(cluster: Cluster): Promise<number> {
  const { devices, broker } = cluster;
  const before = (await cluster.compare()).lost;
  for (const group of new Set(devices.map(({ serial }) => groupOf(serial)))) {
    const client = await connectAsync(broker.url, { clientId: `busbar-${group}`, clean: true });
    await client.endAsync();
  }
  for (let message = 0; message < controlMessages; message++) for (const device of devices) device.publish();
  await Promise.all(devices.map((device) => device.settled()));
  await cluster.startWorker();
  await cluster.untilListening();
  return (await cluster.compare()).lost - before;
}
