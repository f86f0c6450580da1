import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { whyTooManyNodes } from "./open-files.ts";

test("more nodes than this process may have sockets are refused with the command that helps", () => {
  expect(whyTooManyNodes(20_000, 20_000)).toBe(
    '20000 nodes need 20100 open files and this process may have 20000: run it after "ulimit -n 20100", or with fewer --nodes',
  );
  expect(whyTooManyNodes(19_900, 20_000)).toBeUndefined();
});

test.skipIf(process.platform === "win32")("the limit is that of the shell", () => {
  const main = fileURLToPath(new URL("./main.ts", import.meta.url));
  const { status, stderr } = spawnSync("sh", ["-c", `ulimit -n 400 && exec "$0" "${main}" --nodes 301`, process.execPath], {
    encoding: "utf8",
  });
  expect(stderr).toContain("301 nodes need 401 open files and this process may have 400");
  expect(status).toBe(2);
});
