import { pageCookies, type CookieJar } from "#lib/cookies.ts";
import { customerKey, facilityKey } from "./tree-branches.ts";

// CUS-03
const memoryCookie = "admin-expanded-memory";
const customerCookie = "admin-expanded-customer";
const facilityCookie = "admin-expanded-facility";
const rememberedDays = 30;

export interface LastExpansion {
  customerId?: string | undefined;
  facilityId?: string | undefined;
}

/** `Remember last expansion`: the customer and facility expanded last, from one visit to the next. */
export function createExpansionMemory(cookies: CookieJar = pageCookies) {
  const set = (name: string, id: string | undefined) => {
    if (id === undefined) cookies.remove(name);
    else cookies.write(name, id, rememberedDays);
  };
  const memory = {
    isOn: () => cookies.read(memoryCookie) === "true",
    turn(isOn: boolean, last: LastExpansion): void {
      set(memoryCookie, isOn ? "true" : undefined);
      set(customerCookie, isOn ? last.customerId : undefined);
      set(facilityCookie, isOn ? last.facilityId : undefined);
    },
    remember(last: LastExpansion): void {
      if (memory.isOn()) memory.turn(true, last);
    },
    read(): LastExpansion {
      return memory.isOn() ? { customerId: cookies.read(customerCookie), facilityId: cookies.read(facilityCookie) } : {};
    },
  };
  return memory;
}
export type ExpansionMemory = ReturnType<typeof createExpansionMemory>;

export function keysOf({ customerId, facilityId }: LastExpansion): string[] {
  return [...(customerId === undefined ? [] : [customerKey(customerId)]), ...(facilityId === undefined ? [] : [facilityKey(facilityId)])];
}
