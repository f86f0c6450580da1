import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const run = promisify(execFile);

test("A-27 the limits of tests and waits are in one place; only a try that is repeated may be short", async () => {
  const { stdout } = await run("git", ["ls-files", "*.test.ts", "*.test.tsx", "e2e/*.ts"], { cwd: root });
  const own = /\b(?:t|testT|hookT)imeout: ([\d_]+)|\btest\.setTimeout\(([\d_]+)|^ *\}, ([\d_]+)\);$|^ *([\d_]{5,}),?\n *\);$/gm;
  const offenders = await Promise.all(
    stdout
      .trim()
      .split("\n")
      .map(async (file) => {
        const text = await readFile(join(root, file), "utf8");
        const limits = Array.from(text.matchAll(own), ([, ...numbers]) => Number(numbers.find(Boolean)?.replaceAll("_", "")));
        return limits.some((limit) => limit > 3_000) ? [file] : [];
      }),
  );
  expect(offenders.flat()).toEqual([]);
});

// Each plants one violation where a fence must report it, or (clean: true) something allowed right beside the fence.
const plants: { path: string; source: string; clean?: boolean }[] = [
  { path: "packages/contract/src/a.ts", source: 'import { Pool } from "pg";\nexport const pool = Pool;' },
  { path: "packages/contract/src/b.ts", source: 'import * as z from "zod/mini";\nexport const text = z.string();', clean: true },
  { path: "packages/sparkplug/src/a.ts", source: 'import { Buffer } from "node:buffer";\nexport const empty = Buffer.alloc(0);' },
  { path: "packages/metering/src/a.ts", source: 'import { Buffer } from "node:buffer";\nexport const empty = Buffer.alloc(0);' },
  { path: "apps/simulator/src/a.ts", source: 'import { startServer } from "@busbar/server/server.ts";\nexport const go = startServer;' },
  { path: "apps/console/src/lib/a.ts", source: 'import { Modal } from "#ui/modal.tsx";\nexport const modal = Modal;' },
  { path: "apps/console/src/ui/a.ts", source: 'import { client } from "#api/client.ts";\nexport const c = client;' },
  { path: "apps/console/src/api/a.ts", source: 'import { store } from "#features/access/session/session.ts";\nexport const s = store;' },
  {
    path: "apps/console/src/features/directory/nodes/a.ts",
    source: 'import { x } from "#features/access/session/session.ts";\nexport const s = x;',
  },
  { path: "apps/console/src/features/directory/nodes/b.ts", source: 'import { x } from "../session/session.ts";\nexport const s = x;' },
  { path: "apps/console/src/features/directory/nodes/c.ts", source: 'import { x } from "#pages/home-page.tsx";\nexport const s = x;' },
  {
    path: "apps/console/src/features/directory/nodes/d.ts",
    source: 'import { Modal } from "#ui/modal.tsx";\nexport const m = Modal;',
    clean: true,
  },
  {
    path: "apps/console/src/features/directory/nodes/select.tsx",
    source: 'import { Select } from "@mantine/core";\nexport const a02 = Select;',
  },
  {
    path: "apps/console/src/features/directory/nodes/suggest.tsx",
    source: 'import { Autocomplete } from "@mantine/core";\nexport const a02 = Autocomplete;',
  },
  {
    path: "apps/console/src/features/directory/nodes/native.tsx",
    source: 'import { NativeSelect } from "@mantine/core";\nexport const a02 = NativeSelect;',
  },
  {
    path: "apps/console/src/features/directory/nodes/many.tsx",
    source: 'import { MultiSelect } from "@mantine/core";\nexport const a02 = MultiSelect;',
  },
  {
    path: "apps/console/src/features/directory/nodes/tags.tsx",
    source: 'import { TagsInput } from "@mantine/core";\nexport const a02 = TagsInput;',
  },
  { path: "apps/console/src/pages/select.tsx", source: 'import { Select } from "@mantine/core";\nexport const a02 = Select;' },
  { path: "apps/console/src/select.tsx", source: 'import { Select } from "@mantine/core";\nexport const a02 = Select;' },
  { path: "apps/console/src/ui/other-select.tsx", source: 'import { Select } from "@mantine/core";\nexport const a02 = Select;' },
  { path: "apps/console/src/ui/select.tsx", source: 'import { Select } from "@mantine/core";\nexport const a02 = Select;', clean: true },
  {
    path: "apps/console/src/features/directory/nodes/input.tsx",
    source: 'import { TextInput } from "@mantine/core";\nexport const a02 = TextInput;',
    clean: true,
  },
  { path: "apps/console/src/features/directory/nodes/part.tsx", source: 'import { Suspense } from "react";\nexport const a03 = Suspense;' },
  { path: "apps/console/src/pages/part.tsx", source: 'import { Suspense } from "react";\nexport const a03 = Suspense;' },
  { path: "apps/console/src/part.tsx", source: 'import { Suspense } from "react";\nexport const a03 = Suspense;' },
  { path: "apps/console/src/ui/other-part.tsx", source: 'import { Suspense } from "react";\nexport const a03 = Suspense;' },
  {
    path: "apps/console/src/features/directory/nodes/slab.tsx",
    source: 'import { Skeleton } from "@mantine/core";\nexport const a32 = Skeleton;',
  },
  {
    path: "apps/console/src/features/directory/nodes/veil.tsx",
    source: 'import { LoadingOverlay } from "@mantine/core";\nexport const a32 = LoadingOverlay;',
  },
  { path: "apps/console/src/pages/slab.tsx", source: 'import { Skeleton } from "@mantine/core";\nexport const a32 = Skeleton;' },
  { path: "apps/console/src/slab.tsx", source: 'import { Skeleton } from "@mantine/core";\nexport const a32 = Skeleton;' },
  { path: "apps/console/src/ui/slab.tsx", source: 'import { Skeleton } from "@mantine/core";\nexport const a32 = Skeleton;' },
  { path: "apps/console/src/ui/program-part.tsx", source: 'import { Suspense } from "react";\nexport const a03 = Suspense;', clean: true },
  {
    path: "apps/console/src/features/directory/nodes/form.tsx",
    source: 'import { useForm } from "react-hook-form";\nexport const a20 = useForm;',
  },
  { path: "apps/console/src/pages/form.tsx", source: 'import { useForm } from "react-hook-form";\nexport const a20 = useForm;' },
  { path: "apps/console/src/form.tsx", source: 'import { useForm } from "react-hook-form";\nexport const a20 = useForm;' },
  { path: "apps/console/src/ui/other-form.ts", source: 'import { useForm } from "react-hook-form";\nexport const a20 = useForm;' },
  {
    path: "apps/console/src/ui/save-form.tsx",
    source: 'import { useForm } from "react-hook-form";\nexport const a20 = useForm;',
    clean: true,
  },
  ...["lib", "ui", "features/directory/nodes", "pages"].map((place) => ({
    path: `apps/console/src/${place}/nodes.queries.ts`,
    source: 'import { useQueryClient } from "@tanstack/react-query";\nexport const own = useQueryClient;',
  })),
  { path: "apps/console/src/query.tsx", source: 'import { useQuery } from "@tanstack/react-query";\nexport const own = useQuery;' },
  {
    path: "apps/console/src/api/queries.ts",
    source: 'import { useQuery } from "@tanstack/react-query";\nexport const own = useQuery;',
    clean: true,
  },
  ...["features/directory/nodes/", "pages/", ""].map((place) => ({
    path: `apps/console/src/${place}raw-table.tsx`,
    source: "export const RawTable = () => <table />;",
  })),
  { path: "apps/console/src/ui/other-table.tsx", source: "export const OtherTable = () => <table />;", clean: true },
  {
    path: "apps/console/src/features/directory/nodes/message.tsx",
    source: 'import type { Message } from "#ui/message-line.tsx";\nexport const said = (message: Message) => message.text;',
  },
  {
    path: "apps/console/src/features/directory/nodes/line.tsx",
    source: 'import { MessageLine } from "#ui/message-line.tsx";\nexport const line = MessageLine;',
    clean: true,
  },
  {
    path: "apps/server/src/lib/apart.ts",
    source:
      'import { join } from "node:path";\nimport type { ParsedPath } from "node:path";\nexport const a: ParsedPath | string = join("a");',
  },
  {
    path: "apps/server/src/lib/together.ts",
    source: 'import { join, type ParsedPath } from "node:path";\nexport const a: ParsedPath | string = join("a");',
    clean: true,
  },
  { path: "apps/server/src/lib/a.ts", source: 'import { createPool } from "#db/pool.ts";\nexport const p = createPool;' },
  { path: "apps/server/src/db/a.ts", source: 'import { x } from "#features/access/session/session.store.ts";\nexport const s = x;' },
  { path: "apps/server/src/db/b.ts", source: 'import { x } from "#shared/activities.store.ts";\nexport const s = x;' },
  { path: "apps/server/src/shared/a.ts", source: 'import { x } from "#features/access/session/session.store.ts";\nexport const s = x;' },
  { path: "apps/server/src/shared/b.ts", source: 'import { x } from "#http/endpoints.ts";\nexport const s = x;' },
  { path: "apps/server/src/shared/c.ts", source: 'import pg from "pg";\nexport const p = pg;' },
  {
    path: "apps/server/src/shared/d.store.ts",
    source: 'import { x } from "#db/transaction.ts";\nimport { y } from "#lib/clock.ts";\nexport const s = [x, y];',
    clean: true,
  },
  {
    path: "apps/server/src/features/directory/nodes/shared.service.ts",
    source: 'import { recordActivity } from "#shared/activities.store.ts";\nexport const r = recordActivity;',
    clean: true,
  },
  { path: "apps/server/src/http/a.ts", source: 'import pg from "pg";\nexport const p = pg;' },
  { path: "apps/server/src/mqtt/a.ts", source: 'import fastify from "fastify";\nexport const f = fastify;' },
  { path: "apps/server/src/features/directory/nodes/nodes.service.ts", source: 'import pg from "pg";\nexport const p = pg;' },
  { path: "apps/server/src/features/directory/nodes/nodes.store.ts", source: 'import pg from "pg";\nexport const p = pg;', clean: true },
  {
    path: "apps/server/src/features/directory/nodes/nodes.routes.ts",
    source: 'import fastify from "fastify";\nexport const f = fastify;',
    clean: true,
  },
  {
    path: "apps/server/src/features/directory/nodes/nodes.handlers.ts",
    source: 'import { unauthorized } from "#lib/errors.ts";\nexport const u = unauthorized;',
  },
  {
    path: "apps/server/src/features/directory/nodes/other.handlers.ts",
    source: 'import { forbidden } from "#lib/errors.ts";\nexport const f = forbidden;',
    clean: true,
  },
  {
    path: "apps/server/src/features/directory/nodes/other.service.ts",
    source: 'import { connect } from "mqtt";\nexport const c = connect;',
  },
  {
    path: "apps/server/src/features/directory/nodes/value.ts",
    source: 'import { x } from "#features/access/session/session.service.ts";\nexport const s = x;',
  },
  {
    path: "apps/server/src/features/directory/nodes/type.ts",
    source: 'import type { X } from "#features/access/session/session.service.ts";\nexport type S = X;',
    clean: true,
  },
  { path: "apps/server/src/default.ts", source: "export default 1;" },
  { path: "apps/server/src/cycle-a.ts", source: 'import { b } from "./cycle-b.ts";\nexport const a = () => b;' },
  { path: "apps/server/src/cycle-b.ts", source: 'import { a } from "./cycle-a.ts";\nexport const b = () => a;' },
  { path: "apps/server/src/empty-catch.ts", source: "export function f(): void {\n  try {\n    f();\n  } catch {}\n}" },
];

let folder: string;
let reported: Set<string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "busbar-rules-"));
  await copyFile(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  for (const { path, source } of plants) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `${source}\n`);
  }
  const output = await run(process.execPath, [join(root, "node_modules/oxlint/bin/oxlint"), "--format", "json"], { cwd: folder }).catch(
    (failure: { stdout: string }) => failure,
  );
  const { diagnostics } = JSON.parse(output.stdout) as { diagnostics: { filename: string; code: string }[] };
  const fences = diagnostics.filter(({ code }) =>
    /\((no-restricted-imports|forbid-elements|no-cycle|no-default-export|no-duplicates|no-empty)\)/.test(code),
  );
  reported = new Set(fences.map((diagnostic) => diagnostic.filename));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the lint fences", () => {
  for (const { path, source, clean } of plants) {
    test(`${clean ? "allow" : "report"} ${path}: ${source.split("\n")[0]}`, () => {
      expect(reported.has(path)).toBe(!clean);
    });
  }
});

describe("the repository", () => {
  const tracked = async (...patterns: string[]) => {
    const { stdout } = await run("git", ["ls-files", "-co", "--exclude-standard", ...patterns], { cwd: root, maxBuffer: 1 << 26 });
    return stdout.split("\n").filter(Boolean);
  };

  test("the lock file names no registry", async () => {
    const lock = await readFile(join(root, "package-lock.json"), "utf8");
    expect(lock).not.toMatch(/https?:\/\/[^"]*\.tgz/);
  });

  test("every dependency is pinned to one exact version", async () => {
    for (const file of await tracked("package.json", "*/package.json", "*/*/package.json")) {
      const manifest = JSON.parse(await readFile(join(root, file), "utf8")) as Record<string, Record<string, string> | undefined>;
      for (const kind of ["dependencies", "devDependencies", "optionalDependencies"]) {
        for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
          expect(`${file} ${name} ${version}`).toMatch(/ \d+\.\d+\.\d+(-[\w.]+)?$/);
        }
      }
    }
  });

  test("A-63 every statement has a name, which the server's views and logs show", async () => {
    const unnamedIn = (text: string) =>
      [...text.matchAll(/\b(?:prepared|planned)(?:Count)?(?:<[^()]*?>)?\(\s*[\w.]+,\s*"([^"]*)"|\bread(?:<[^()]*?>)?\(\s*"([^"]*)",\s*`/g)]
        .map(([, given, set]) => given ?? set ?? "")
        .filter((name) => !/^[a-z][a-z0-9]+(-[a-z0-9]+)*$/.test(name));
    expect(
      unnamedIn(
        'prepared<{ id: number }>(pool, "find-it", [1]); planned(client, ""); plannedCount(db, "Some Rows"); read<Row>("a-", `select`)',
      ),
    ).toEqual(["", "Some Rows", "a-"]);
    const unnamed = [];
    for (const file of await tracked("apps/server/src/*.ts"))
      for (const name of unnamedIn(await readFile(join(root, file), "utf8"))) unnamed.push(`${file}: "${name}"`);
    expect(unnamed).toEqual([]);
  });

  test("words are those of this field: reported, item, no one, is, issue, request, fix", async () => {
    const foreign =
      /^(un)?told$|^(no|some|every|any)body$|^things?$|^stands$|^doubt(s|ful)?$|^troubles?$|^wish(es|ed)?$|^surroundings$|^besides$|^mend(s|ed)?$/i;
    // Names of landed tables and columns, a user of the operating system, and English as it is.
    const allowed = /\b(notice_told|told_at|trouble_told_at)\b|["`]nobody["`]|\bstands for\b/g;
    const foreignIn = (text: string) =>
      text
        .replace(allowed, "")
        .match(/[A-Z]?[a-z]+/g)
        ?.filter((word) => foreign.test(word)) ?? [];
    expect(foreignIn("// What stands here nobody told.\nconst tellTroubles = (aThing, wishOf) => besides;")).toEqual(
      "stands nobody told Troubles Thing wish besides".split(" "),
    );
    expect(foreignIn('["nobody"]; // a sample stands for two: update told_at, something, amend')).toEqual([]);
    const files = await tracked("*.ts", "*.tsx", "*.mjs", "*.css", "*.md");
    // Landed migrations never change; the list of passwords is not ours.
    for (const file of files.filter((path) => !/db\/migrations\/|common-passwords\.ts$|tools\/repo-rules\.test\.ts$/.test(path)))
      expect.soft(foreignIn(await readFile(join(root, file), "utf8")), file).toEqual([]);
  });

  test("SQL is only in stores, read models, files of SQL text and the database layer of the server", async () => {
    const files = (await tracked("apps/server/src/*.ts")).filter(
      (file) => !/(\.store|\.read-model|\.fixture|\.test|-sql)\.ts$|\/(db|testing|services|admin)\//.test(file),
    );
    for (const file of files) {
      const source = await readFile(join(root, file), "utf8");
      expect
        .soft(/\b(insert into|delete from|update \w+ set|select .+ from)\b/i.test(source.replace(/^\s*(\/\/|\*).*$/gm, "")), file)
        .toBe(false);
    }
  });

  test("a prepared statement is named once, by a name that no other statement has", async () => {
    const types = "<(?:[^`(]|\\([^)]*\\)\\[\\])*?>";
    const callOf = (functions: string) =>
      new RegExp(`\\b(?:${functions})(?:${types})?\\(\\s*(?:\\w+(?:\\(\\))?,\\s*)?(?:["\`](.+?)["\`]|name\\b)`, "g");
    /** The names in a file, and how many calls have one that cannot be read here. A function with a name among its parameters hands it on. */
    const readNames = (source: string) => {
      const handingOn = Array.from(
        source.matchAll(/\b(?:function (\w+)(?:<[^(]*>)?|const (\w+) = async (?:<[^(]*>)?)\([^)]*\bname: string\b/g),
        ([, named, constant]) => named ?? constant,
      );
      const calls = [...source.matchAll(callOf(["prepared", "preparedCount", ...handingOn].join("|")))];
      const all = source.match(/\bprepared(?:Count)?[<(]/g) ?? [];
      return {
        names: calls.flatMap(([, name]) => name ?? []),
        unread: all.length - calls.filter(([text]) => text.startsWith("prepared")).length,
      };
    };
    expect(
      readNames(`
        const read = async <Row>(name: string, text: string) => await prepared<Row>(pool, name)\`\${text}\`;
        await read<{ at: (number | null)[] }>(
          "handed-on", "select 1");
        await preparedCount(client, \`of-\${kind}\`, [1])\`select\`;
        await prepared(pool, isFirst ? "first" : "second")\`select\`;`),
    ).toEqual({ names: ["handed-on", "of-${kind}"], unread: 1 });
    const named = new Map<string, string>();
    for (const file of await tracked("apps/server/src/*.ts", "apps/dev-env/src/*.ts")) {
      if (/\.test\.ts$|db\/statement\.ts$/.test(file)) continue;
      const { names, unread } = readNames(await readFile(join(root, file), "utf8"));
      expect.soft(unread, `${file}: a name is a text, or the parameter \`name\``).toBe(0);
      for (const name of names) {
        expect.soft(named.get(name), `${file} takes the name ${name} again`).toBeUndefined();
        named.set(name, file);
      }
    }
    for (const name of ["coverage-nodes", "incident-members", "expired-mutes", "tree-locations"]) expect([...named.keys()]).toContain(name);
  });

  test("SEC-04 nothing that is shipped hashes passwords cheaply", async () => {
    const callers: string[] = [];
    for (const file of await tracked("*.ts", "*.tsx", "*.mjs"))
      if (/\bhashCheaply\b/.test(await readFile(join(root, file), "utf8"))) callers.push(file);
    expect(callers.filter((file) => !file.startsWith("tools/")).sort()).toEqual([
      "apps/server/src/lib/passwords.ts",
      "apps/server/src/testing/cheap-hashes.ts",
      "e2e/serve-world.ts",
    ]);
  });

  test("what is stateless and open to all features is imported, not handed over", async () => {
    const functions: string[] = [];
    for (const file of await tracked("apps/server/src/shared/*.ts", "apps/server/src/db/transaction.ts")) {
      const source = await readFile(join(root, file), "utf8");
      functions.push(...Array.from(source.matchAll(/^export (?:async )?function (\w+)/gm), ([, name = ""]) => name));
    }
    const handedOver = (source: string) => new RegExp(String.raw`^\s+(readonly )?(${functions.join("|")})\??:`, "m").test(source);
    expect(handedOver("export interface Dependencies {\n  recordActivity: RecordActivity;\n}")).toBe(true);
    expect(handedOver("  await recordActivity(client, {\n    action,\n  });")).toBe(false);
    const found: string[] = [];
    for (const file of await tracked("apps/server/src/features/*.ts"))
      if (handedOver(await readFile(join(root, file), "utf8"))) found.push(file);
    expect(found).toEqual([]);
  });

  test("what the database layer gives is not written out again", async () => {
    const seconds = /(floor\(extract\(epoch from [^()]*(\([^()]*\)[^()]*)*\)\)|extract\(epoch from [^()]*(\([^()]*\)[^()]*)*\))::float8/;
    const ownStatement = /Pool \| PoolClient|PoolClient \| Pool|\.query(<[^`()]*>)?\(\s*(["`]\/\*|\{\s*name:)/;
    expect(ownStatement.test('await pool.query({\n  name: "by-hand",')).toBe(true);
    const given = { "db/epoch-sql.ts": seconds, "db/statement.ts": ownStatement };
    const again: string[] = [];
    for (const file of await tracked("apps/server/src/*.ts", "apps/dev-env/src/*.ts")) {
      if (/\.test\.ts$|\/(testing|migrations)\//.test(file)) continue;
      const source = await readFile(join(root, file), "utf8");
      for (const [home, pattern] of Object.entries(given)) {
        if (!file.endsWith(home) && pattern.test(source)) again.push(`${file}: ${home}`);
      }
    }
    expect(again).toEqual([]);
  });

  test("A-03 every dialog that a screen opens is where its failure leaves the screen alone", async () => {
    const opening: string[] = [];
    for (const file of await tracked("apps/console/src/*.tsx")) {
      if (/(\.test|-dialogs?)\.tsx$/.test(file)) continue;
      const source = await readFile(join(root, file), "utf8");
      // A type argument, as in useState<LinkedDialog>, is none.
      if (/[\s({]<[A-Z]\w*Dialogs?[\s/>]/.test(source) && !source.includes("<DialogSlot")) opening.push(file);
    }
    expect(opening).toEqual([]);
  });

  test("A-09 every form of the console asks before what was entered is thrown away", async () => {
    // No one is signed in yet; a 2FA code is requested again each time.
    const exempt = ["access/session/login-form", "access/account/two-factor-section"];
    const unasked: string[] = [];
    let forms = 0;
    for (const file of await tracked("apps/console/src/features/*.tsx", "apps/console/src/pages/*.tsx", "apps/console/src/app*.tsx")) {
      const source = await readFile(join(root, file), "utf8");
      if (file.includes(".test.") || !/<form\b|useSaveForm/.test(source)) continue;
      forms++;
      const asks = /<SaveForm\b|<SaveBar[^>]*(\{\.\.\.bar\}|hasEdits)/.test(source) || source.includes("<UnsavedEdits when=");
      if (!asks && !exempt.some((name) => file.endsWith(`features/${name}.tsx`))) unasked.push(file);
    }
    expect(forms).toBeGreaterThan(15);
    expect(unasked).toEqual([]);
  });

  test("A-32 nothing that loads has a form of its own", async () => {
    const own: string[] = [];
    for (const file of await tracked("apps/console/src/*.tsx", "apps/console/src/*.css")) {
      if (/\/ui\/loading\.(tsx|css)$|\.test\.tsx$/.test(file)) continue;
      const source = await readFile(join(root, file), "utf8");
      // A busy mark is for what is loaded again and still shows its last data.
      if (/aria-busy(="true"|=\{true\}|[\s>])|skeleton|shimmer|@keyframes/i.test(source)) own.push(file);
    }
    expect(own).toEqual([]);
  });

  test("the console has no HTML sink of its own", async () => {
    for (const file of await tracked("apps/console/src/*.ts", "apps/console/src/*.tsx")) {
      const source = await readFile(join(root, file), "utf8");
      expect.soft(/dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write/.test(source), file).toBe(false);
    }
  });
});
