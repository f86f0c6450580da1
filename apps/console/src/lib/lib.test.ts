import { afterEach, expect, describe, test, vi } from "vitest";
import { deriveApiBases, reachableBases } from "./api-bases.ts";
import { documentTitle, environmentOf } from "./environment.ts";
import { formatDateTime } from "./format-date.ts";
import { formatMoney } from "./format-money.ts";
import { formatBytes, formatCount, formatReading } from "./format-number.ts";
import { parseSearch, stringifySearch } from "./search-codec.ts";
import { spanWords } from "./span-words.ts";
import { timeAgo } from "./time-ago.ts";
import { daysInMonth, oneOClock, yearChoices } from "./year-choices.ts";

describe("the address", () => {
  const page = (address: string) => new URL(address) as unknown as Location;

  describe("ENV-01 the API base follows the page that ends in /admin", () => {
    test.each([
      ["https://console.example/admin", "https://console.example/api", "https://console.example/api/v2"],
      ["https://console.example/admin/", "https://console.example/api", "https://console.example/api/v2"],
      ["https://console.example/admin/index.html", "https://console.example/api", "https://console.example/api/v2"],
      ["https://console.example:8443/east/admin/", "https://console.example:8443/east/api", "https://console.example:8443/east/api/v2"],
    ])("%s has its API at %s", (address, v1, v2) => {
      expect(deriveApiBases(page(address), {})).toEqual({ v1, v2 });
    });
  });

  describe("ENV-02 localhost has a port for each version", () => {
    test.each(["http://localhost:3000/admin/", "http://localhost:8080/"])("%s uses port 8080 for v1 and 5000 for v2", (address) => {
      expect(deriveApiBases(page(address), {})).toEqual({ v1: "http://localhost:8080/api", v2: "http://localhost:5000/api/v2" });
    });
  });

  test("ENV-02 what the runtime config says wins", () => {
    const configured = { v1Base: "http://localhost:9000/api", v2Base: "http://localhost:9000/api/v2" };
    expect(deriveApiBases(page("http://localhost:9000/admin/"), configured)).toEqual({ v1: configured.v1Base, v2: configured.v2Base });
  });

  describe("A-05 v2 is asked at the page's own port where its own does not answer", () => {
    const fetched = vi.fn<typeof fetch>();
    afterEach(() => void vi.unstubAllGlobals());
    const bases = { v1: "http://localhost:8080/api", v2: "http://localhost:5000/api/v2" };
    const refused = () => Promise.reject(new TypeError("refused"));
    const reached = (answer: () => Promise<Response>, pageOrigin = "http://localhost:8080") => {
      vi.stubGlobal("fetch", fetched.mockReset().mockImplementation(answer));
      return reachableBases(bases, pageOrigin);
    };
    const atPage = { ...bases, v2: "http://localhost:8080/api/v2" };

    test("there, refused, or another program", async () => {
      expect(await reached(async () => new Response("ok"))).toEqual(bases);
      expect(fetched.mock.calls.map(([address]) => address)).toEqual(["http://localhost:5000/healthz"]);
      expect(await reached(refused)).toEqual(atPage);
      expect(await reached(async () => new Response("", { status: 404 }))).toEqual(atPage);
    });

    test("nothing is asked where the page is at v2's port, or is not the server's", async () => {
      for (const origin of ["http://localhost:5000", "https://elsewhere.example"]) expect(await reached(refused, origin)).toEqual(bases);
      expect(fetched).not.toHaveBeenCalled();
    });
  });

  describe("ENV-03 the environment follows the host", () => {
    test.each([
      ["localhost", "Development"],
      ["127.0.0.1", "Development"],
      ["[::1]", "Development"],
      ["dev.console.example", "Development"],
      ["console-dev.example", "Development"],
      ["staging.console.example", "Staging"],
      ["stage.console.example", "Staging"],
      ["console.example", "Production"],
      ["CONSOLE.example", "Production"],
      ["developer.example", "Unknown"],
      ["other.example", "Unknown"],
    ])("%s is %s", (hostname, environment) => {
      expect(environmentOf(hostname, ["console.example"])).toBe(environment);
    });
  });

  test("ENV-05 only Production goes without its name in the title", () => {
    expect(documentTitle("Production", "Dashboard")).toBe("Admin - Dashboard");
    expect(documentTitle("Staging", "Dashboard")).toBe("Staging Admin - Dashboard");
  });
});

describe("search parameters", () => {
  test("DSH-04 text that looks like a number stays text and is written plainly", () => {
    expect(stringifySearch({ filterText: "10001", empty: "", missing: undefined })).toBe("?filterText=10001");
    expect(parseSearch("?filterText=10001")).toEqual({ filterText: "10001" });
    expect(stringifySearch({ from: 0, view: 7, table: true, rest: null })).toBe("?from=0&view=7");
  });

  test("any text survives the round trip", () => {
    for (const text of ["a b", "a&b=c", "50%", "#/x?y", "é漢", "{}", "null", "true"]) {
      expect(parseSearch(stringifySearch({ filterText: text }))).toEqual({ filterText: text });
    }
  });
});

describe("time", () => {
  const now = 1_795_000_000;
  describe("COM-05 time ago in the largest whole unit", () => {
    test.each([
      [0, "just now"],
      [-5, "just now"],
      [1, "1 second ago"],
      [59, "59 seconds ago"],
      [60, "1 minute ago"],
      [3_599, "59 minutes ago"],
      [3_600, "1 hour ago"],
      [86_399, "23 hours ago"],
      [86_400, "1 day ago"],
      [2_591_999, "29 days ago"],
      [2_592_000, "1 month ago"],
      [40 * 2_592_000, "40 months ago"],
    ])("%d seconds: %s", (age, words) => {
      expect(timeAgo(now - age, now)).toBe(words);
    });
  });

  test("a span is in its largest whole unit, and one that is to come is none", () => {
    expect([-5, 0, 59.9, 60, 3_599, 3_600, 86_399, 86_400, 20 * 86_400].map(spanWords)).toEqual([
      "0 s",
      "0 s",
      "59 s",
      "1 min",
      "59 min",
      "1 h",
      "23 h",
      "1 d",
      "20 d",
    ]);
  });

  describe("COM-06 date, time and zone", () => {
    test.each([
      [1_793_514_600, "America/Chicago", "2026-11-01 01:30:00 CDT"],
      [1_793_518_200, "America/Chicago", "2026-11-01 01:30:00 CST"],
      [1_793_514_600, "Asia/Kolkata", "2026-11-01 12:00:00 GMT+5:30"],
      [0, "UTC", "1970-01-01 00:00:00 UTC"],
      [2_147_483_648, "Pacific/Honolulu", "2038-01-18 17:14:08 HST"],
      [2_840_140_799, "UTC", "2059-12-31 23:59:59 UTC"],
    ])("%d in %s is %s", (timestamp, timezone, text) => {
      expect(formatDateTime(timestamp, timezone)).toBe(text);
    });
  });
});

test("COM-07 readings have 0 to 2 decimals; counts have thousands separators", () => {
  expect([480, 480.5, 480.126, null, NaN].map(formatReading)).toEqual(["480", "480.5", "480.13", "–", "–"]);
  expect([-2.5, -0.001, 12_345].map(formatReading)).toEqual(["-2.5", "0", "12345"]);
  expect(formatCount(1_234_567)).toBe("1,234,567");
});

test("money is in dollars, and bytes in the unit that leaves three digits at most", () => {
  expect([180_000, 5, -250].map(formatMoney)).toEqual(["$1,800.00", "$0.05", "-$2.50"]);
  expect([0, 999, 1_000, 16_200, 99_949, 99_950, 999_499, 999_500, 4_321_000_000, 4_321_000_000_000].map(formatBytes)).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "16.2 kB",
    "99.9 kB",
    "100 kB",
    "999 kB",
    "1.0 MB",
    "4.3 GB",
    "4321 GB",
  ]);
});

test("FIL-02 the years to choose from begin with that of the place; months have their days", () => {
  const newYear = Date.UTC(2027, 0, 1, 2) / 1000;
  expect(yearChoices(newYear, "UTC")).toEqual([2027, 2026, 2025, 2024, 2023, 2022, 2021]);
  expect(yearChoices(newYear, "America/Chicago")[0]).toBe(2026);
  expect([daysInMonth(2028, 2), daysInMonth(2027, 2), daysInMonth(2026, 12)]).toEqual([29, 28, 31]);
});

test("FIL-02 one o'clock is the first of two, and the hour after where there is none", () => {
  const at = (month: number, day: number, timezone: string) => new Date(oneOClock(2026, month, day, timezone) * 1000).toISOString();
  expect(at(7, 4, "America/Chicago")).toBe("2026-07-04T06:00:00.000Z");
  expect(at(11, 1, "America/Chicago")).toBe("2026-11-01T06:00:00.000Z");
  expect(at(3, 29, "Europe/London")).toBe("2026-03-29T01:00:00.000Z");
});
