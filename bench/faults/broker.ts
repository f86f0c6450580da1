import { setTimeout as pause } from "node:timers/promises";
import { whyNoMosquitto } from "../lib/mosquitto.ts";
import { inWords, startCluster, type Cluster } from "./cluster.ts";

const perDeviceAndSecond = 50;
/** From so many kills on the wills of nodes that never come back are lost on purpose too. */
const killsForWills = 5;
const longestDeadMs = 120_000;

/**
 * R6: kills Mosquitto and stops it (SIGSTOP) so many times while nodes publish at QoS 1, and compares what it acknowledged with what is stored.
 * Nodes send again, as historical, what was not acknowledged. At last it is killed while half of the nodes go for good: no will comes.
 */
export async function killBroker(kills: number): Promise<boolean> {
  const missing = whyNoMosquitto();
  if (missing !== undefined) {
    console.log(`broker: left out, because ${missing}`);
    return true;
  }
  const cluster = await startCluster();
  const { broker, devices } = cluster;
  await cluster.startWorker();
  await cluster.untilListening();
  await Promise.all(devices.map((device) => device.connect()));
  let slowestMs = 0;
  let inFlight = 0;
  for (let round = 0; round < 2 * kills; round++) {
    const sending = setInterval(() => {
      for (const device of devices) device.publish();
    }, 1_000 / perDeviceAndSecond);
    await pause(300 + Math.random() * 700);
    if (round % 2 === 0) {
      // A broker that answers within a millisecond has nothing in flight otherwise: nothing can be lost, nothing is proven.
      for (const device of devices) device.publish();
      await broker.kill();
      clearInterval(sending);
      inFlight += devices.reduce((sum, device) => sum + device.unacknowledged(), 0);
      await Promise.all(devices.map((device) => device.dropped()));
      await broker.restart();
      slowestMs = Math.max(slowestMs, await untilBack(cluster));
      await Promise.all(devices.map((device) => device.connect()));
    } else {
      broker.freeze();
      await pause(200 + Math.random() * 2_000);
      broker.thaw();
      clearInterval(sending);
    }
  }
  await Promise.all(devices.map((device) => device.settled()));
  const comparison = await cluster.compare();
  console.log(`broker: ${kills} kills and ${kills} stops of Mosquitto under ${devices.length * perDeviceAndSecond} msg/s (QoS 1)`);
  console.log(`  ${inWords(comparison)}; in flight at the kills, sent again ${inFlight}; slowest return ${Math.round(slowestMs)} ms`);
  const deadMs = kills >= killsForWills ? await loseWills(cluster) : 0;
  await cluster.stop();
  return comparison.lost === 0 && comparison.extra === 0 && inFlight > 0 && deadMs <= longestDeadMs;
}

/** The worker listens again. What the database says may be a second old. */
async function untilBack(cluster: Cluster): Promise<number> {
  const beganAt = performance.now();
  await cluster.pool.query("update node_group set is_listening = false");
  await cluster.untilListening();
  return performance.now() - beganAt;
}

/** How long nodes stand as connected that went while the broker was down. */
async function loseWills({ broker, devices, pool }: Cluster): Promise<number> {
  const gone = devices.slice(0, devices.length / 2);
  const others = devices.slice(devices.length / 2);
  await broker.kill();
  await Promise.all(devices.map((device) => device.dropped()));
  await broker.restart();
  await Promise.all(others.map((device) => device.connect()));
  const sending = setInterval(() => {
    for (const device of others) device.publish();
  }, 1_000);
  const beganAt = performance.now();
  const serials = gone.map(({ serial }) => serial);
  const standing = async () => {
    const { rows } = await pool.query<{ gone: number; others: number }>(
      `select count(*) filter (where serial_number = any ($1) and is_connected)::int4 as gone,
         count(*) filter (where serial_number <> all ($1) and is_connected)::int4 as others from node_live`,
      [serials],
    );
    return rows[0]!;
  };
  while ((await standing()).gone > 0 && performance.now() - beganAt < 2 * longestDeadMs) await pause(250);
  clearInterval(sending);
  const deadMs = performance.now() - beganAt;
  const { others: left } = await standing();
  console.log(
    `  ${gone.length} nodes went while Mosquitto was down, without a will: not connected after ${Math.round(deadMs / 1_000)} s; ${left} of ${others.length} others connected`,
  );
  return left === others.length ? deadMs : Infinity;
}
