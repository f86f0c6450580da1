import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** The rooms of the code, the same on every side, and what each may import from: no circle, and no arrow that is not in use. */
const arrows: Record<string, readonly string[]> = {
  alarms: [],
  system: ["alarms"],
  access: ["alarms"],
  files: ["alarms"],
  directory: ["access", "alarms", "system"],
  office: ["alarms", "files", "system"],
  telemetry: ["access", "files"],
};
const sides = ["apps/server/src/features", "apps/console/src/features", "packages/contract/src"] as const;
interface Source {
  path: string;
  text: string;
}

/** Imports from one room into another of the same side, as `telemetry -> files`, with the file. The contract is everyone's. */
function arrowsOf(sources: readonly Source[]): { arrow: string; path: string }[] {
  return sources.flatMap(({ path, text }) => {
    const side = sides.find((folder) => path.startsWith(`${folder}/`));
    const room = side && path.slice(side.length + 1).split("/")[0];
    if (!room || !(room in arrows)) return [];
    const named = text.matchAll(/from "(?:#features\/|\.\.\/)([a-z-]+)\//g);
    return Array.from(named, ([, target = ""]) => target)
      .filter((target) => target in arrows && target !== room)
      .map((target) => ({ arrow: `${room} -> ${target}`, path }));
  });
}
const isAllowed = ({ arrow }: { arrow: string }) => {
  const [room = "", target = ""] = arrow.split(" -> ");
  return arrows[room]?.includes(target) ?? false;
};

const tracked = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...sides], { cwd: root, encoding: "utf8" })
  .trim()
  .split("\n");
const products = tracked.filter((path) => /\.tsx?$/.test(path) && !/\.(test|fixture)\./.test(path));

test("the fence between rooms reports an arrow that is not drawn, and lets the drawn ones through", () => {
  const plant = (path: string, text: string) => arrowsOf([{ path, text }]).filter((arrow) => !isAllowed(arrow)).length;
  expect(plant("apps/server/src/features/alarms/mail/a.ts", 'import type { X } from "#features/access/users/users.store.ts";')).toBe(1);
  expect(plant("packages/contract/src/files/a.ts", 'import { x } from "../office/billing.ts";')).toBe(1);
  expect(plant("apps/server/src/features/access/users/a.ts", 'import type { X } from "#features/alarms/mail/mail.service.ts";')).toBe(0);
  expect(plant("packages/contract/src/files/b.ts", 'import { x } from "../values/revision.ts";')).toBe(0);
});

test("rooms import from each other along the drawn arrows only, and every drawn arrow is used", () => {
  const found = arrowsOf(products.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") })));
  expect(found.filter((arrow) => !isAllowed(arrow))).toEqual([]);
  const drawn = Object.entries(arrows).flatMap(([room, targets]) => targets.map((target) => `${room} -> ${target}`));
  expect(drawn.filter((arrow) => !found.some((one) => one.arrow === arrow))).toEqual([]);
  // In the order of the list each room knows only those before it: no circle.
  const order = Object.keys(arrows);
  expect(drawn.filter((arrow) => order.indexOf(arrow.split(" -> ")[1] ?? "") > order.indexOf(arrow.split(" -> ")[0] ?? ""))).toEqual([]);
});

test("a noun is in the same room on every side", () => {
  const roomsOf = new Map<string, Set<string>>();
  const roomless: string[] = [];
  for (const path of products) {
    const side = sides.find((folder) => path.startsWith(`${folder}/`)) ?? "";
    const [room = "", file = ""] = path.slice(side.length + 1).split("/");
    const noun = file.replace(/\.ts$/, "");
    if (room in arrows) roomsOf.set(noun, (roomsOf.get(noun) ?? new Set()).add(room));
    else roomless.push(path);
  }
  expect([...roomsOf].filter(([, rooms]) => rooms.size > 1)).toEqual([]);
  // Values, and the few files that hold the contract together.
  expect(roomless.filter((path) => !/^packages\/contract\/src\/(values\/)?[a-z-]+\.ts$/.test(path))).toEqual([]);
});

test("the context is put together room by room, each of its own features", () => {
  const folder = "apps/server/src/context";
  const otherRooms = (room: string, text: string) =>
    Array.from(text.matchAll(/^import (?!type\b).*from "#features\/([a-z-]+)\//gm), ([, target = ""]) => target).filter(
      (one) => one !== room,
    );
  expect(otherRooms("files", 'import { createMail } from "#features/alarms/mail/mail.service.ts";')).toEqual(["alarms"]);
  expect(otherRooms("files", 'import type { Mail } from "#features/alarms/mail/mail.service.ts";')).toEqual([]);
  expect(readdirSync(join(root, folder)).toSorted()).toEqual(
    Object.keys(arrows)
      .map((room) => `${room}.ts`)
      .toSorted(),
  );
  for (const room of Object.keys(arrows))
    expect.soft(otherRooms(room, readFileSync(join(root, folder, `${room}.ts`), "utf8")), room).toEqual([]);
});
