import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { replaceNodeCredentials } from "#features/directory/node-credentials/issued-credentials.store.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode } from "#testing/test-world.ts";

const token = "token-of-the-broker-of-this-test-0002";
let server: TestApp;
beforeAll(async () => {
  server = await createTestApp({ BROKER_AUTH_TOKEN: token });
  await addNode(server.database.pool, 10_234);
  await replaceNodeCredentials(server.database.pool, [{ serial: 10_234, secret: "secret-10234" }]);
});
afterAll(() => server.stop());

describe("the questions of a broker", () => {
  const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
    server.call({ method: "POST", url, payload, headers });
  const form = (name: string, fields: Record<string, string>, as = token) =>
    server.call({
      method: "POST",
      url: `/broker-auth/rabbitmq/${as}/${name}`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams(fields).toString(),
    });
  const node = { username: "10234", password: "secret-10234", clientid: "10234" };

  test("are answered to who has the token, and to no one else", async () => {
    const bearer = { authorization: `Bearer ${token}` };
    expect((await post("/broker-auth/emqx/authentication", node, bearer)).json).toEqual({ result: "allow", is_superuser: false });
    expect((await post("/broker-auth/emqx/authentication", node)).status).toBe(403);
    expect((await post("/broker-auth/emqx/authentication", node, { authorization: `Bearer ${token}x` })).status).toBe(403);
    expect((await form("user", node, `${token.slice(1)}1`)).status).toBe(403);
    const without = await createTestApp();
    expect((await without.call({ method: "POST", url: "/broker-auth/emqx/authentication", payload: node, headers: bearer })).status).toBe(
      404,
    );
    await without.stop();
    expect(server.logText()).not.toContain(token);
  });

  test.each([
    ["a wrong secret", { ...node, password: "x" }],
    ["another client id", { ...node, clientid: "10235" }],
    ["no user", { clientid: "10234" }],
    ["a name of Object.prototype", { ...node, username: "__proto__", clientid: "__proto__" }],
  ])("EMQX: %s is denied", async (_what, asked) => {
    const { json } = await post("/broker-auth/emqx/authentication", asked, { authorization: `Bearer ${token}` });
    expect(json["result"]).toBe("deny");
  });

  test.each([
    ["publish", "spBv1.0/n58/NDATA/10234", {}, "allow"],
    ["publish", "spBv1.0/n58/NDATA/10234", { retain: "true" }, "deny"],
    ["publish", "spBv1.0/n58/NDATA/10234", { qos: 2 }, "deny"],
    ["publish", "spBv1.0/n59/NDATA/10235", {}, "deny"],
    ["subscribe", "spBv1.0/n58/NCMD/10234", {}, "allow"],
    ["subscribe", "#", {}, "deny"],
    ["subscribe", "spBv1.0/n58/NCMD/10234", { username: "10235" }, "deny"],
    ["publish", "spBv1.0/n58/NDATA/10234", { qos: "1" }, "allow"],
    ["other", "spBv1.0/n58/NCMD/10234", {}, "deny"],
    ["subscribe", "spBv1.0/n58/NCMD/10234", { retain: "undefined" }, "allow"],
    ["publish", "spBv1.0/n58/NDATA/10234", { retain: "undefined" }, "deny"],
  ])("EMQX: %s %s %j: %s", async (action, topic, more, result) => {
    const asked = { username: "10234", clientid: "10234", action, topic, ...more };
    expect((await post("/broker-auth/emqx/authorization", asked, { authorization: `Bearer ${token}` })).json["result"]).toBe(result);
  });

  test.each([
    ["user", { username: "10234", password: "secret-10234" }, "allow"],
    ["user", { username: "10234", password: "secret-10234", client_id: "10235" }, "deny"],
    ["user", { username: "10234", password: "secret-10234", vhost: "/" }, "allow"],
    ["user", { username: "10234", password: "secret-10234", vhost: "plant" }, "deny"],
    ["vhost", { username: "10234", vhost: "/" }, "allow"],
    ["vhost", { username: "10234", vhost: "plant" }, "deny"],
    ["vhost", { username: "10234" }, "deny"],
    ["vhost", { username: "guest", vhost: "/" }, "deny"],
    ["resource", { username: "10234", vhost: "/", resource: "exchange", name: "amq.topic", permission: "write" }, "allow"],
    ["resource", { username: "10234", vhost: "plant", resource: "exchange", name: "amq.topic", permission: "write" }, "deny"],
    ["resource", { username: "10234", vhost: "/", resource: "queue", name: "mqtt-subscription-10235qos1", permission: "read" }, "deny"],
    ["resource", { username: "10234", vhost: "/", resource: "queue", name: "mqtt-subscription-10234qos0", permission: "read" }, "allow"],
    ["resource", { username: "10234", vhost: "/", resource: "queue", name: "mqtt-subscription-10234qos2", permission: "read" }, "deny"],
    ["resource", { username: "guest", vhost: "/", resource: "exchange", name: "amq.topic", permission: "write" }, "deny"],
    ["resource", { username: "10234", vhost: "/", resource: "exchange", name: "amq.topic", permission: "configure" }, "deny"],
    ["resource", { username: "10234", vhost: "/", resource: "exchange", name: "amq.topic", permission: "read" }, "allow"],
    ["resource", { username: "10234", vhost: "/", resource: "exchange", name: "amq.direct", permission: "write" }, "deny"],
    ["topic", { username: "10234", vhost: "/", permission: "write", routing_key: "spBv1___0.n58.NDATA.10234" }, "allow"],
    ["topic", { username: "10234", vhost: "plant", permission: "write", routing_key: "spBv1___0.n58.NDATA.10234" }, "deny"],
    ["topic", { username: "10234", vhost: "/", permission: "write", routing_key: "spBv1___0.n58.NCMD.10234" }, "deny"],
    ["topic", { username: "10234", vhost: "/", permission: "read", routing_key: "spBv1___0.*.NCMD.10234" }, "deny"],
    ["topic", { username: "10234", vhost: "/", permission: "read", routing_key: "spBv1___0.n58.NCMD.10234" }, "allow"],
    ["topic", { username: "10234", vhost: "/", permission: "read", routing_key: "spBv1.0.n58.NCMD.10234" }, "allow"],
    ["topic", { username: "10234", vhost: "/", permission: "configure", routing_key: "spBv1___0.n58.NDATA.10234" }, "deny"],
    ["topic", {}, "deny"],
  ])("RabbitMQ: %s %j: %s", async (name, fields, answer) => {
    const { status, text } = await form(name, { ...fields });
    expect([status, text]).toEqual([200, answer]);
  });
});
