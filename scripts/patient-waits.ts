import { vi } from "vitest";
import { waitLimitMs } from "./patience.ts";

// Vitest has a setting for how long `expect.poll` waits, and none for these two, which give up after a second.
const { waitFor, waitUntil } = vi;
// Test files of one worker may share `vi`; this runs before each of them.
if (!Object.hasOwn(vi, "isPatient")) {
  vi.waitFor = (callback, options) => waitFor(callback, patient(options));
  vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
  Object.assign(vi, { isPatient: true });
}

const patient = (options: number | { interval?: number } = {}) => ({
  ...(typeof options === "number" ? {} : options),
  timeout: waitLimitMs,
});
