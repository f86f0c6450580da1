import { expect, test } from "vitest";
import { createNodeCommands } from "#features/telemetry/node-commands/node-commands.service.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { startOtherBroker } from "#testing/other-broker.ts";
import { createTestIngest } from "#testing/test-ingest.ts";
import { setLive } from "#testing/test-world.ts";
import { unreachable } from "./broker-answers.ts";

/** What an operator reads in /readyz, in the log and on the page of services. */
async function problemWith(url: string): Promise<{ problem: () => string | undefined; stop: () => Promise<void> }> {
  const ingest = await createTestIngest({
    config: { host: "127.0.0.1", mqttPort: 0, mqttUrl: url, scalarRetentionDays: 3, dataDir: "unused", trustedProxies: [] },
  });
  return { problem: () => ingest.context.problem(), stop: () => ingest.stop() };
}

test("a wrong password is named, without the password, and tried again until it is right", async () => {
  let right = "other";
  const broker = await startOtherBroker({
    authenticate: (_client, _user, password, done) =>
      String(password) === right ? done(null, true) : done(Object.assign(new Error("no"), { returnCode: 4 }), false),
  });
  const { problem, stop } = await problemWith(broker.url.replace("//", "//ingest:s%40cret@"));
  await expect.poll(problem).toBe(`the MQTT broker ${broker.url} refuses the user name or password of MQTT_URL`);
  right = "s@cret";
  await expect.poll(problem).toBeUndefined();
  await stop();
  await broker.stop();
});

test("a refused subscription is named; the other groups are listened to", async () => {
  const broker = await startOtherBroker({
    authorizeSubscribe: (_client, subscription, done) => done(null, subscription.topic === "spBv1.0/n07/#" ? null : subscription),
  });
  const { problem, stop } = await problemWith(broker.url);
  await expect
    .poll(problem)
    .toBe(`the MQTT broker ${broker.url} refuses the subscription to spBv1.0/n07/#: the user of MQTT_URL may not read it`);
  await stop();
  await broker.stop();
});

test("a certificate out of its time says what time it is here: one of the two clocks may be off", () => {
  const error = Object.assign(new Error("certificate is not yet valid"), { code: "CERT_NOT_YET_VALID" });
  expect(unreachable("mqtts://broker.example", error, Date.UTC(2026, 10, 22, 12)).sentence).toBe(
    "the certificate of the MQTT broker mqtts://broker.example is not valid yet, or a clock is off: here it is 2026-11-22T12:00:00Z",
  );
});

test("A-63 while the broker is away a command is not sent into nothing", async () => {
  const clock = createManualClock();
  const broker = await startOtherBroker();
  const config = { host: "127.0.0.1", mqttPort: 0, mqttUrl: broker.url, scalarRetentionDays: 3, dataDir: "unused", trustedProxies: [] };
  const ingest = await createTestIngest({ clock, config });
  await ingest.addNode(10_500);
  await setLive(ingest.database.pool, 10_500, { is_connected: true });
  await expect.poll(() => ingest.context.problem()).toBeUndefined();
  await broker.stop();
  await expect.poll(() => ingest.context.problem()).toContain("broker");
  clock.advance(6);
  const commands = createNodeCommands(ingest.database.pool);
  const command = { serialNumber: 10_500, metrics: [{ name: "Meter/Live Lease s", datatype: 3, value: 30 }], timeoutMs: 300 };
  expect(await commands.send(command)).toEqual({ state: "not-sent", reason: "no-ingest" });
  await commands.stop();
  await ingest.stop();
});
