import { nodeConfigKeys } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { toPathPart } from "@busbar/contract/telemetry/node-config.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startConfigFleet, type ConfigFleet, type FleetNode } from "./config-fleet.fixture.ts";

const nodes: FleetNode[] = [
  { serial: 10_234, location: "Feed Pump 1" },
  { serial: 10_235, type: "subNode", parentSerial: 10_234 },
  { serial: 10_240, quirks: { neverAnswersCommands: true } },
  { serial: 10_241, quirks: { answersAfterSeconds: 5 } },
  { serial: 10_242, quirks: { answersTwice: true } },
  { serial: 10_243, quirks: { liesAboutConfig: "says-done" } },
  { serial: 10_244, quirks: { liesAboutConfig: "says-conflict" } },
  { serial: 10_245, quirks: { clockOffsetSeconds: 5_400 } },
  { serial: 10_250, quirks: { neverConnects: true } },
];

let world: ConfigFleet;
let token: string;
beforeAll(async () => {
  world = await startConfigFleet(nodes);
  token = await world.server.login(await world.server.addAdministrator("pat"));
  const connecting = nodes.filter(({ serial }) => serial !== 10_250);
  const patience = { interval: 50 };
  await vi.waitUntil(async () => !(await Promise.all(connecting.map(({ serial }) => world.isConnected(serial)))).includes(false), patience);
  // The clock of a node is known from what it sends.
  const clockKnown = "select 1 from node_live where serial_number = 10245 and clock_skew_ms > 5300000";
  await vi.waitUntil(async () => (await world.ingest.rows(clockKnown)).length === 1, patience);
});
afterAll(() => world.stop());

interface Answer {
  status: number;
  data: unknown;
  message: unknown;
  code: unknown;
}
async function ask(method: "GET" | "PATCH", url: string, as = token): Promise<Answer> {
  const { status, json } = await world.server.call({ method, url, token: as });
  return { status, data: json["data"], message: json["errorMessage"], code: json["errorCode"] };
}
const read = (serial: number) => ask("GET", `/api/nodes/${serial}/config`);
const valueOf = async (serial: number, key: string) => ((await read(serial)).data as Record<string, string>)[key];

const part = (text: string) => encodeURIComponent(toPathPart(text));
async function change(serial: number | string, key: string, newValue: string, oldValue: string, code?: string): Promise<Answer> {
  const passcode = code ?? (await world.passcode("pat"));
  return await ask("PATCH", `/api/nodes/${serial}/config/${part(key)}/${part(newValue)}/2fa/${part(passcode)}/previous/${part(oldValue)}`);
}

interface AuditRow {
  serial_number: number;
  location_name: string;
  key: string;
  old_value: string;
  new_value: string;
  result: string;
}
const lastAudit = async () => (await world.ingest.rows<AuditRow>("select * from audit_log order by id desc limit 1"))[0]!;
const auditCount = async () => (await world.ingest.rows<{ n: number }>("select count(*)::int as n from audit_log"))[0]!.n;
const activities = () =>
  world.ingest.rows<{ object: string; description: string }>(
    "select object, description from activity where action = 'PATCH_NODE_CONFIG' order by id desc",
  );

describe("CFG-03 reading", () => {
  test("gives every value as the node reports it", async () => {
    const { status, data } = await read(10_234);
    expect(status).toBe(200);
    expect(Object.keys(data as object).toSorted()).toEqual([...nodeConfigKeys].toSorted());
    expect(data).toMatchObject({ np_voltage: "460", np_current: "57.6", node_name: "10234", Motor: "", pq_ch_active: "v123i123" });
  });

  test("asks a sub node through its parent", async () => {
    expect((await read(10_235)).data).toMatchObject({ node_name: "10235" });
  });

  test("a node that is away, silent or unknown is said to be so", async () => {
    expect(await read(10_250)).toMatchObject({ status: 503, code: "NODE_NOT_CONNECTED", message: "Node 10250 is not connected" });
    const [silent] = await Promise.all([read(10_240), world.endWait(10_240)]);
    expect(silent).toMatchObject({ status: 504, message: "Node 10240 did not answer within 20 s" });
    expect(await read(10_999)).toMatchObject({ status: 404, message: "Node 10999 was not found" });
    expect(await read(999)).toMatchObject({ status: 400, message: expect.stringMatching(/^serial: /) });
  });

  test("many at the same moment are all answered", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => read(index % 2 ? 10_234 : 10_242)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  });
});

describe("CFG-04 CFG-06 a change", () => {
  test("reaches the node, is confirmed by it, and is in the audit log and the activities", async () => {
    expect(await change(10_234, "np_voltage", "480.0", "460")).toMatchObject({
      status: 200,
      data: "np_voltage changed from 460 to 480 on node 10234",
    });
    expect(await valueOf(10_234, "np_voltage")).toBe("480");
    expect(await lastAudit()).toMatchObject({
      username: "pat",
      serial_number: 10_234,
      location_name: "Feed Pump 1",
      key: "np_voltage",
      old_value: "460",
      new_value: "480.0",
      result: "confirmed",
    });
    expect((await activities())[0]).toEqual({ object: "node/10234", description: "np_voltage of node 10234 was changed" });
  });

  test("of a text may hold anything that the key allows, also nothing", async () => {
    const odd = "Pump/5 100% ü~ 漢 ?#&";
    expect((await change(10_234, "Motor", odd, "")).data).toBe(`Motor changed from (empty) to ${odd} on node 10234`);
    expect(await valueOf(10_234, "Motor")).toBe(odd);
    expect((await change(10_234, "Motor", "..", odd)).status).toBe(200);
    expect((await change(10_234, "Motor", "~", "..")).status).toBe(200);
    expect(await valueOf(10_234, "Motor")).toBe("~");
    expect((await change(10_234, "Motor", "", "~")).data).toBe("Motor changed from ~ to (empty) on node 10234");
    expect(await valueOf(10_234, "Motor")).toBe("");
  });

  test("of a sub node goes through its parent and leaves the parent alone", async () => {
    expect((await change(10_235, "v_noise", "7", "5")).status).toBe(200);
    expect([await valueOf(10_235, "v_noise"), await valueOf(10_234, "v_noise")]).toEqual(["7", "5"]);
  });

  test("of a node whose clock is an hour and a half ahead is not taken for expired", async () => {
    expect((await change(10_245, "v_noise", "6", "5")).status).toBe(200);
  });

  test("to the value that it has already is reported as such", async () => {
    expect((await change(10_234, "np_sf", "1.150", "1.15")).data).toBe("np_sf was already 1.15 on node 10234");
    expect((await lastAudit()).result).toBe("unchanged");
  });

  test("is refused when the previous value no longer holds, by what the node reported last", async () => {
    await read(10_234);
    expect(await change(10_234, "events_throttle", "30", "90")).toMatchObject({
      status: 409,
      message: "events_throttle on node 10234 is now 60, no longer 90. Refresh to see its values.",
    });
    expect((await lastAudit()).result).toBe("refused");
  });

  test("is refused by the node itself when the platform does not know its value", async () => {
    await world.ingest.rows("delete from node_config where serial_number = 10234");
    expect(await change(10_234, "events_throttle", "30", "90")).toMatchObject({
      status: 409,
      message: "events_throttle on node 10234 is not 90 any more; it is 60 there. Refresh to see its values.",
    });
    expect((await lastAudit()).result).toBe("refusedByNode");
    expect(await valueOf(10_234, "events_throttle")).toBe("60");
  });

  test("what the node reported before its last birth is not held against a writer", async () => {
    await world.ingest.rows(
      `update node_config set told_at = told_at - interval '1 day', config_values = config_values || '{"events_throttle": "77"}' where serial_number = 10234`,
    );
    expect((await change(10_234, "events_throttle", "61", "60")).status).toBe(200);
  });

  test("two at the same moment: one is sent, the other refused", async () => {
    const kim = await world.server.login(await world.server.addAdministrator("kim"));
    const address = (value: number, code: string) => `/api/nodes/10241/config/v_noise/${value}/2fa/${code}/previous/5`;
    const codes = [await world.passcode("pat"), await world.passcode("kim")] as const;
    const before = await auditCount();
    const asked = [ask("PATCH", address(8, codes[0])), ask("PATCH", address(9, codes[1]), kim)];
    // This node takes its time: the first is under way when the second comes.
    expect(await Promise.race(asked)).toMatchObject({
      status: 409,
      message: "Another change is on its way to node 10241. Nothing was changed; try again in a moment",
    });
    await world.endWait(10_241);
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([409, 504]));
    expect(await auditCount()).toBe(before + 2);
  });
});

describe("CFG-06 a node", () => {
  const unknown = "The node did not answer; the value may or may not have changed. Refresh to see it.";

  test("that never answers leaves the outcome open, and says so", async () => {
    const [silent] = await Promise.all([change(10_240, "v_noise", "6", "5"), world.endWait(10_240)]);
    expect(silent).toMatchObject({ status: 504, code: "NODE_DID_NOT_ANSWER", message: unknown });
    expect((await lastAudit()).result).toBe("unanswered");
    expect((await activities())[0]?.description).toBe("v_noise of node 10240 may have been changed: the node did not answer");
  });

  test("that answers late is not believed any more: what was said stays said", async () => {
    const [late] = await Promise.all([change(10_241, "i_noise", "3", "0.58"), world.endWait(10_241)]);
    expect(late).toMatchObject({ status: 504, message: unknown });
    const { rows } = await world.server.database.pool.query<{ id: string }>(
      "select id from node_command where serial_number = 10241 order by created_at desc limit 1",
    );
    await expect
      .poll(() => world.ingest.rows("select config_values ->> 'i_noise' as value from node_config where serial_number = 10241"))
      .toEqual([{ value: "3" }]);
    expect(await world.ingest.rows("select state, failure, answer from node_command where id = $1", [rows[0]?.id])).toEqual([
      { state: "failed", failure: "unanswered", answer: null },
    ]);
    expect((await lastAudit()).result).toBe("unanswered");
  });

  test("that answers twice counts once", async () => {
    const before = await auditCount();
    expect((await change(10_242, "v_noise", "6", "5")).status).toBe(200);
    expect((await change(10_242, "v_noise", "7", "6")).status).toBe(200);
    expect([await auditCount(), await valueOf(10_242, "v_noise")]).toEqual([before + 2, "7"]);
  });

  test("that claims to have written what it has not is found out", async () => {
    expect(await change(10_243, "v_noise", "6", "5")).toMatchObject({
      status: 502,
      code: "NODE_CONTRADICTS_ITSELF",
      message: "Node 10243 said that it changed v_noise, but did not; it is 5 there. Refresh to see its values.",
    });
    expect((await lastAudit()).result).toBe("contradicted");
  });

  test("that lies about the previous value is found out", async () => {
    expect(await change(10_244, "v_noise", "6", "5")).toMatchObject({
      status: 502,
      message: "Node 10244 refused: it said that v_noise is not 5 any more, but it is; it is 5 there. Refresh to see its values.",
    });
  });

  test("that is away is refused before a code is spent", async () => {
    const code = await world.passcode("pat");
    expect(await change(10_250, "v_noise", "6", "5", code)).toMatchObject({ status: 503, message: "Node 10250 is not connected" });
    expect((await lastAudit()).result).toBe("refused");
    expect((await change(10_234, "start_seconds", "11", "10", code)).status).toBe(200);
  });
});

describe("CFG-05 CFG-06 what is refused before it leaves the server", () => {
  let commands: number;
  const commandCount = async () => (await world.ingest.rows<{ n: number }>("select count(*)::int as n from node_command"))[0]!.n;
  beforeEach(async () => {
    commands = await commandCount();
  });

  test("a code that is missing, malformed, wrong or used", async () => {
    expect(await change(10_234, "v_noise", "6", "5", "")).toMatchObject({ status: 400, message: "code: Missing 2FA Passcode" });
    expect(await change(10_234, "v_noise", "6", "5", "12/34")).toMatchObject({ status: 400, message: expect.stringMatching(/^code: /) });
    expect(await change(10_234, "v_noise", "6", "5", "000000")).toMatchObject({ status: 403, code: "PASSCODE_REFUSED" });
    const code = await world.passcode("pat");
    expect((await change(10_234, "np_hp", "51", "50", code)).status).toBe(200);
    expect(await change(10_234, "np_hp", "52", "51", code)).toMatchObject({
      status: 403,
      message: "This 2FA code was already used. Wait for the next one",
    });
    expect(await commandCount()).toBe(commands + 1);
  });

  const long = "9".repeat(300);
  const bad: [string, string, string, number, RegExp][] = [
    ["a key that is none", "np_volt", "1", 400, /^key: np_volt is no parameter/],
    ["an empty key", "", "1", 400, /^key: /],
    ["a key with a slash", "np/voltage", "1", 400, /^key: np\/voltage/],
    ["a key with a percent sign", "np%2Fvoltage", "1", 400, /^key: np%2Fvoltage/],
    ["a key of 300 characters", "k".repeat(300), "1", 400, /^key: k{64} /],
    ["a key in Unicode", "ключ漢", "1", 400, /^key: ключ漢/],
    ["a key with NUL", "np_\u0000voltage", "1", 400, /^key: np_voltage/],
    ["the refresh command as a key", "Refresh", "1", 400, /^key: Refresh/],
    ["a value out of range", "np_voltage", "15001", 400, /^newValue: np_voltage must be a number from 50 to 15000 V/],
    ["an empty value", "np_voltage", "", 400, /^newValue: /],
    ["a value with a slash", "np_voltage", "4/8", 400, /^newValue: /],
    ["a value with a percent sign", "np_voltage", "48%30", 400, /^newValue: /],
    ["a value of 300 digits", "np_voltage", long, 400, /^newValue: /],
    ["a value of 300 characters in Unicode", "Motor", "漢".repeat(300), 400, /^newValue: Motor must be at most 32/],
    ["a value with NUL", "Motor", "a\u0000b", 400, /^newValue: /],
    ["a speed that no motor of these poles reaches", "np_running_speed", "1801", 400, /^newValue: np_running_speed must be below/],
  ];
  test.each(bad)("%s", async (_what, key, value, status, message) => {
    await read(10_234);
    commands = await commandCount();
    const before = await auditCount();
    expect(await change(10_234, key, value, "x", "123456")).toMatchObject({ status, message: expect.stringMatching(message) });
    expect([await commandCount(), await auditCount()]).toEqual([commands, before + 1]);
    expect(await lastAudit()).toMatchObject({ serial_number: 10_234, result: "refused" });
  });

  test("the first that is wrong decides: key, value, node, connection, previous value, then the code", async () => {
    const wrong = "000000";
    expect((await change(10_999, "nothing", "x", "x", wrong)).message).toMatch(/^key: /);
    expect((await change(10_999, "v_noise", "x", "x", wrong)).message).toMatch(/^newValue: /);
    expect((await change(10_999, "v_noise", "6", "x", wrong)).status).toBe(404);
    expect((await change(10_250, "v_noise", "6", "x", wrong)).status).toBe(503);
    expect((await change(10_234, "v_noise", "6", "x", wrong)).status).toBe(409);
    expect((await change(10_234, "v_noise", "6", "5", wrong)).status).toBe(403);
  });

  test("parts that are missing or not encoded do not reach a node", async () => {
    const base = "/api/nodes/10234/config";
    for (const path of ["/v_noise//2fa/1/previous/5", "//6/2fa/1/previous/5", "/v_noise/6/2fa//previous/5"])
      expect([path, (await ask("PATCH", base + path)).status]).toEqual([path, 400]);
    for (const path of ["/v_noise/6/2fa/1/previous", "/v_noise/6/7/2fa/1/previous/5", "/v_noise/6"])
      expect([path, (await ask("PATCH", base + path)).status]).toEqual([path, 404]);
    expect((await ask("PATCH", `${base}/v_noise/%zz/2fa/1/previous/5`)).status).toBe(400);
    expect(await commandCount()).toBe(commands);
  });
});

test("SEC-03 CFG-06 neither passcodes nor values get into logs, activities or, but for the audit log, the database", async () => {
  const value = "4321.0987";
  const code = await world.passcode("pat");
  const wrongCode = "CANARY7";
  expect((await change(10_242, "np_current", value, "57.6", wrongCode)).status).toBe(403);
  expect((await change(10_242, "np_current", value, "57.6", code)).status).toBe(200);
  const half = await ask("PATCH", `/api/nodes/10242/config/np_current/${value}/2fa/${wrongCode}`);
  const broken = await ask("PATCH", `/api/nodes/10242/config/%zz/${value}/2fa/${wrongCode}/previous/1`);
  expect([half.status, broken.status]).toEqual([404, 400]);
  expect(`${String(half.message)} ${String(broken.message)}`).not.toContain(wrongCode);
  const logged = world.server.logText();
  expect(logged).toContain("/api/nodes/:serial/config/:key/:newValue/2fa/:code/previous/:oldValue");
  for (const secret of [value, wrongCode, `2fa/${code}`, token]) expect(logged).not.toContain(secret);

  const tables = await world.ingest.rows<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const holders = async (needle: string) => {
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await world.ingest.rows(`select 1 from ${name} t where t::text like '%' || $1 || '%' limit 1`, [needle]);
      if (rows.length > 0) found.push(name);
    }
    return found.toSorted();
  };
  expect(await holders(wrongCode)).toEqual([]);
  // What goes to the node and what it reports is its configuration, not a log.
  expect(await holders(value)).toEqual(["audit_log", "node_command", "node_config"]);
});
