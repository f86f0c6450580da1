import { expect, test } from "vitest";
import type { Call } from "./endpoints.ts";
import { requireOwnPage } from "./own-page.ts";

const refused = (headers: Record<string, string>, isAdmittedOrigin?: boolean) => {
  try {
    requireOwnPage({ headers, isAdmittedOrigin } as unknown as Call);
    return undefined;
  } catch (error) {
    return (error as { status: number; message: string }).message;
  }
};
const words = "This address changes something and is for the console's own pages. Use PATCH";

test("SEC-01 a GET that changes something is for scripts of a console that this server admits", () => {
  const script = { "sec-fetch-mode": "cors" };
  expect(refused({ ...script, "sec-fetch-site": "same-origin" })).toBeUndefined();
  expect(refused({ ...script, "sec-fetch-site": "cross-site" }, true)).toBeUndefined();
  expect(refused({ ...script, "sec-fetch-site": "cross-site" })).toBe(words);
  expect(refused({ ...script, "sec-fetch-site": "same-site" }, false)).toBe(words);
  for (const mode of ["navigate", "no-cors"]) expect(refused({ "sec-fetch-site": "same-origin", "sec-fetch-mode": mode })).toBe(words);
  expect(refused({}, true)).toBe(words);
});
