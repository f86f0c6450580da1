import { describe, expect, test } from "vitest";
import { ApiError } from "#lib/api-error.ts";
import { failedChange } from "./config-progress.ts";
import { aboutRow, groupRows } from "./config-rows.ts";

describe("CFG-05 CFG-06 how far a change came", () => {
  const cases: [string, number, string, string][] = [
    ["refused by the server", 400, "INVALID", "not-sent"],
    ["a wrong code", 403, "PASSCODE_REFUSED", "not-sent"],
    ["a previous value that no longer holds", 409, "CONFLICT", "not-sent"],
    ["a node that is away", 503, "NODE_NOT_CONNECTED", "not-sent"],
    ["a silent node", 504, "NODE_DID_NOT_ANSWER", "sent"],
    ["the node's conflict", 409, "NODE_CONFLICT", "delivered"],
    ["the node's refusal", 422, "NODE_REFUSED", "delivered"],
    ["a node that contradicts itself", 502, "NODE_CONTRADICTS_ITSELF", "contradicted"],
    ["a broken connection", 0, "NETWORK", "unclear"],
    ["a broken server", 500, "INTERNAL", "unclear"],
    ["a proxy's word", 504, "UNREADABLE", "unclear"],
    ["a database that went away", 503, "UNAVAILABLE", "unclear"],
  ];
  test.each(cases)("%s", (_what, status, code, state) => {
    expect(failedChange("v_noise", new ApiError(status, code, "words of the server"))).toEqual({
      key: "v_noise",
      state,
      text: "words of the server",
    });
  });

  test("a fault of the console itself leaves it open", () => {
    expect(failedChange("v_noise", new Error("x")).state).toBe("unclear");
  });
});

test("CFG-02 keys that no group names fall in Other, after its own; what the node lacks is there without a value", () => {
  const groups = groupRows({ zeta: "1", np_voltage: "460", alpha: "2" });
  const other = groups.find(({ group }) => group === "Other")?.rows ?? [];
  expect(other.map(({ key, value }) => [key, value])).toEqual([
    ["static_allowed", undefined],
    ["timemachine", undefined],
    ["alpha", "2"],
    ["zeta", "1"],
  ]);
  expect(other.map(({ parameter }) => parameter?.key)).toEqual(["static_allowed", "timemachine", undefined, undefined]);
  expect(groups.find(({ group }) => group === "Name Plate")?.rows[0]?.value).toBe("460");
});

test("A-11 CFG-02 a key that only the node knows says its datatype and that its range is not known", () => {
  const row = (types: Parameters<typeof groupRows>[1]) =>
    groupRows({ alpha: "2" }, types)
      .find(({ group }) => group === "Other")!
      .rows.find(({ key }) => key === "alpha")!;
  expect(aboutRow(row({ alpha: "UInt16" }))).toBe("Reported by the node as UInt16. Its range is not known here: the node decides.");
  expect(aboutRow(row({}))).toBe("Reported by the node. Its range is not known here: the node decides.");
});
