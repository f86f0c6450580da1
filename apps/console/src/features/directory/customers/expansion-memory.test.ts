import { describe, expect, test } from "vitest";
import type { CookieJar } from "#lib/cookies.ts";
import { createExpansionMemory, keysOf } from "./expansion-memory.ts";

function jar(): CookieJar & { held: Map<string, string> } {
  const held = new Map<string, string>();
  return {
    held,
    read: (name) => held.get(name),
    write: (name, value) => void held.set(name, value),
    remove: (name) => void held.delete(name),
  };
}

describe("CUS-03 Remember last expansion", () => {
  test("keeps the last customer and facility in its three cookies while it is on", () => {
    const cookies = jar();
    const memory = createExpansionMemory(cookies);
    memory.remember({ customerId: "4", facilityId: "7" });
    expect([memory.isOn(), memory.read(), cookies.held.size]).toEqual([false, {}, 0]);
    memory.turn(true, { customerId: "4" });
    expect(Object.fromEntries(cookies.held)).toEqual({ "admin-expanded-memory": "true", "admin-expanded-customer": "4" });
    memory.remember({ customerId: "5", facilityId: "7" });
    expect(Object.fromEntries(cookies.held)).toEqual({
      "admin-expanded-memory": "true",
      "admin-expanded-customer": "5",
      "admin-expanded-facility": "7",
    });
    expect(keysOf(createExpansionMemory(cookies).read())).toEqual(["c5", "f7"]);
    memory.remember({ customerId: "6" });
    expect(memory.read()).toEqual({ customerId: "6", facilityId: undefined });
    memory.turn(false, { customerId: "6", facilityId: "7" });
    expect([cookies.held.size, memory.read()]).toEqual([0, {}]);
  });
});
