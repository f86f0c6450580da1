import { expect, test } from "vitest";
import type { Caller } from "#http/endpoints.ts";
import { createNodeConfig, type ConfigChangeRequest, type NodeConfigDependencies } from "./node-config.service.ts";

const caller = { username: "keeper", userId: 1 } as Caller;
const request: ConfigChangeRequest = { serial: "10001", key: "np_hp", newValue: "60", oldValue: "50", code: "123456" };

/** What happens to a change, in its order. */
function createTested({
  node = {},
  isUnderWay = false,
  isCodeRight = true,
}: { node?: object | null; isUnderWay?: boolean; isCodeRight?: boolean } = {}) {
  const did: string[] = [];
  const config = createNodeConfig({
    values: {
      find: () => Promise.resolve(node === null ? undefined : { isConnected: true, values: { np_hp: "50" }, types: {}, ...node }),
      isWriteUnderWay: () => Promise.resolve(isUnderWay),
      refuse: (_by: unknown, { key }: { key: string }, _node: unknown, { message }: Error) =>
        Promise.resolve(void did.push(`${key}: ${message}`)),
      write: (_by: unknown, { newValue, typedValue }: { newValue: string; typedValue: string }) => {
        did.push(`writes ${newValue}, typed ${typedValue}`);
        return Promise.resolve({ text: "done" });
      },
    },
    twoFactor: {
      usePasscode: (_caller: unknown, code: string) => {
        did.push(`uses ${code}`);
        return isCodeRight ? Promise.resolve() : Promise.reject(new Error("wrong code"));
      },
    },
  } as unknown as NodeConfigDependencies);
  return { did, change: (change: Partial<ConfigChangeRequest> = {}) => config.change(caller, { ...request, ...change }), config };
}

test("CFG-06 a change uses its passcode last and is written as the node writes it; one of several that were allowed together uses none", async () => {
  const { did, change, config } = createTested();
  expect(await change({ newValue: "60.0" })).toBe("done");
  expect(did.splice(0)).toEqual(["uses 123456", "writes 60, typed 60.0"]);
  expect(await config.changeAllowed(caller, request)).toBe("done");
  expect(did).toEqual(["writes 60, typed 60"]);
});

test.each<[string, Parameters<typeof createTested>[0], Partial<ConfigChangeRequest>, string]>([
  ["a parameter that no one changes", {}, { key: "no_such" }, "no_such is no parameter that can be changed"],
  ["a value that it may not have", {}, { newValue: "x" }, "np_hp "],
  ["no passcode", {}, { code: "" }, "Missing 2FA Passcode"],
  ["what is no passcode", {}, { code: "12-34" }, "A 2FA code is letters and digits only"],
  ["a node that is not there", { node: null }, {}, "Node 10001 was not found"],
  ["a node that is away", { node: { isConnected: false } }, {}, "Node 10001 is not connected"],
  ["a node to which another change is on its way", { isUnderWay: true }, {}, "Another change is on its way to node 10001"],
  ["what someone changed meanwhile", { node: { values: { np_hp: "55" } } }, {}, "np_hp on node 10001 is now 55, no longer 50"],
])("CFG-06 a change with %s is refused and noted, and its passcode is not spent", async (_what, options, change, message) => {
  const tested = createTested(options);
  await expect(tested.change(change)).rejects.toThrow(message);
  expect(tested.did).toEqual([expect.stringContaining(message)]);
});

test("CFG-05 a wrong passcode writes nothing", async () => {
  const { did, change } = createTested({ isCodeRight: false });
  await expect(change()).rejects.toThrow("wrong code");
  expect(did).toEqual(["uses 123456"]);
});

test("A-63 of the keys that no catalogue has the datatypes are given, and of no others", async () => {
  const values = { np_hp: "50", vendor_a: "1", vendor_b: "x", vendor_c: "2" };
  const { config } = createTested({ node: { values, types: { np_hp: 10, vendor_a: 9, vendor_c: 999 } } });
  expect(await config.readTypes("10001")).toEqual({ vendor_a: "Float", vendor_b: "String" });
});
