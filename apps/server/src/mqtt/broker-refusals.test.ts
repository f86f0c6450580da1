import { expect, test } from "vitest";
import { startOtherBroker } from "#testing/other-broker.ts";
import { createTestIngest } from "#testing/test-ingest.ts";
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
