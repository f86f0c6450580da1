import { existsSync, readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";

export interface MutateRequest {
  /** Folders or files of product code, relative to the checkout. */
  paths: string[];
  /** Where the tests that must notice are; without, the same folders. */
  tests: string[];
  /** So many lines with code, chosen evenly over the paths; all without. */
  sample: number | undefined;
}

/** Such as `packages/alarms --sample 50 --tests apps/server/src/features/alarms/alarms`. */
export function readArguments(args: readonly string[]): MutateRequest {
  const request: MutateRequest = { paths: [], tests: [], sample: undefined };
  for (let index = 0; index < args.length; index++) {
    const argument = args[index]!;
    if (argument === "--sample") request.sample = readCount(args[++index]);
    else if (argument === "--tests") request.tests.push(readPath(args[++index], argument));
    else if (argument.startsWith("--")) throw new Error(`"${argument}" is no option. There are: --sample, --tests.`);
    else request.paths.push(readPath(argument, "mutate"));
  }
  if (request.paths.length === 0) throw new Error("Name a folder to change: npm run mutate -- packages/alarms");
  if (request.tests.length === 0) request.tests = request.paths.map((path) => (/\.tsx?$/.test(path) ? path.replace(/[^/]+$/, "") : path));
  return request;
}

function readCount(text = ""): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`--sample takes a whole number of lines from 1 on, not "${text}".`);
  return count;
}

function readPath(path: string | undefined, option: string): string {
  if (path === undefined || !existsSync(path)) throw new Error(`${option}: there is no "${path ?? ""}" in this checkout.`);
  return path.replace(/\/+$/, "");
}

/** The vitest project whose tests run on this code. */
export const projectOf = (path: string): "server" | "unit" => (/^apps\/(?:server|dev-env)\//.test(`${path}/`) ? "server" : "unit");

const isTested = (file: string) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$|\/testing\/|\/migrations\//.test(file);

/** Product files below the paths, sorted. */
export async function listSources(root: string, paths: readonly string[]): Promise<string[]> {
  const files = new Set<string>();
  for (const path of paths) {
    if (/\.tsx?$/.test(path)) files.add(path);
    else
      for await (const file of glob(`${path}/**/*.{ts,tsx}`, { cwd: root, exclude: (name) => name.includes("node_modules") }))
        files.add(file);
  }
  return [...files].filter(isTested).sort();
}

/** Comments, imports and brackets alone hold nothing to change. */
const holdsCode = (line: string) => !/^\s*(?:$|\/\/|\/?\*|import\b|export type\b|[\])};,]+$)/.test(line);

/** Patterns for the changer: whole files, or `count` of their lines with code, evenly spread so that each run takes the same. */
export function choosePlaces(root: string, files: readonly string[], count: number | undefined): string[] {
  if (count === undefined) return [...files];
  const places = files.flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (holdsCode(line) ? [`${file}:${index + 1}:0-${index + 1}:${line.length}`] : [])),
  );
  const step = Math.max(1, places.length / count);
  return Array.from({ length: Math.min(count, places.length) }, (_, index) => places[Math.floor(index * step)]!);
}
