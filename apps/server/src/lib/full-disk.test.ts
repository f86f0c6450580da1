import { expect, test } from "vitest";
import { fullDisk } from "./full-disk.ts";

const ofFolder = "The disk of DATA_DIR /srv/busbar is full: make room there and start again.";
test.each([
  [{ code: "ENOSPC", message: "ENOSPC: no space left on device, write" }, ofFolder],
  [{ message: "The database could not be created: FATAL: could not write to file: No space left on device" }, ofFolder],
  [
    { code: "53100", message: "could not extend file: No space left on device" },
    "The disk of the database is full: make room there and start again. (could not extend file: No space left on device)",
  ],
  [{ message: "The data folder /srv/busbar cannot be written: ENOSPC: no space left on device, write" }, ofFolder],
  [{ code: "EACCES", message: "permission denied" }, undefined],
])("%j", (error, sentence) => {
  expect(fullDisk(Object.assign(new Error(error.message), error), "/srv/busbar")).toBe(sentence);
});
