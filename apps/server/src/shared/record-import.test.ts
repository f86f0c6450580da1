import type { Pool } from "pg";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { conflict, forbidden, invalid } from "#lib/errors.ts";
import { silentLog } from "#lib/log.ts";
import { cellText, checked, createRecordImport, givenChanges } from "./record-import.ts";

test("A-63 what a file gives is shown by the names of its columns, flags in words, and nothing where it gives nothing", () => {
  const values = { name: "Kiln", count: 7, isOn: true, isOff: false };
  expect(givenChanges({ name: "Name", count: "Count", isOn: "On", isOff: "Off" }, values)).toEqual([
    { column: "Name", before: "", after: "Kiln" },
    { column: "Count", before: "", after: "7" },
    { column: "On", before: "", after: "yes" },
    { column: "Off", before: "", after: "no" },
  ]);
  expect([cellText(null), cellText(undefined), cellText(0)]).toEqual(["", "", "0"]);
});

test("A-63 the first field that is wrong is named", () => {
  const schema = z.object({ name: z.string(), count: z.number("is a number") });
  expect(checked(schema, { name: "a", count: 1 })).toEqual({ name: "a", count: 1 });
  expect(() => checked(schema, { name: "a", count: "x" })).toThrow("count: is a number");
});

const failed = (code: string, message = "no") => Object.assign(new Error(message), { code });
/** Takes everything, and runs no other import. */
const asked: string[] = [];
const client = {
  query: (statement: string) => {
    asked.push(statement.replaceAll(/\/\*.*?\*\/ /g, ""));
    return Promise.resolve({ rows: [{ is_alone: true }], rowCount: 0 });
  },
  release: () => undefined,
};
const pool = { connect: () => Promise.resolve(client) } as unknown as Pool;

/** The dry run of a file whose second line fails. */
function planWith(failure: Error, file = "Name,Size\na,1\nb,2\nc,3\n") {
  const imported = createRecordImport<"name" | "size", object>(
    { pool, log: silentLog },
    {
      noun: "pump",
      names: { name: "Name", size: "Size" },
      key: "name",
      flags: new Set(),
      numbers: new Set(["size"]),
      mostLines: 9,
      begin: () =>
        Promise.resolve(({ name }) =>
          name === "b" ? Promise.reject(failure) : Promise.resolve({ name: String(name), isNew: true, changes: [] }),
        ),
    },
  );
  return imported.plan({}, Buffer.from(file), () => undefined);
}

test.each<[string, Error, string, string]>([
  ["a refusal of a field", invalid("size", "is too large"), "Size", "is too large"],
  ["a refusal of a field that no column has", invalid("shape", "is round"), "", "is round"],
  ["a refusal of the whole", forbidden("You may not"), "", "You may not"],
  ["a refusal that does not begin with its field", conflict("It is large", "size"), "Size", "It is large"],
  ["a rule of the schema", failed("BB409", "A pump has one motor"), "", "A pump has one motor"],
  ["data that the database refuses", failed("22003"), "", "The database refuses this line. The server's log says why"],
  ["a row that the database refuses", failed("23505"), "", "The database refuses this line. The server's log says why"],
])("A-63 of an import %s is said at its line, and the others are read", async (_, failure, column, message) => {
  const plan = await planWith(failure);
  expect([plan.errors, plan.records.map(({ line }) => line)]).toEqual([[{ line: 3, column, message }], [2, 4]]);
  // What the line did before it failed is taken back, and nothing of the others.
  const points = asked.splice(0).filter((statement) => /savepoint/.test(statement));
  const next = "release savepoint import_line; savepoint import_line";
  expect(points).toEqual(["savepoint import_line", next, "rollback to savepoint import_line", next]);
});

test.each([["57014"], ["08006"], ["53100"], ["25006"]])("A-63 a failure %s of the database is no fault of a line", async (code) => {
  await expect(planWith(failed(code))).rejects.toMatchObject({ code });
});

test("A-63 every further line of a name names the first one", async () => {
  const { errors } = await planWith(failed(""), "Name,Size\na,1\nA,2\nc,x\na,3\n,4\nc,5\n");
  expect(errors.map(({ line, column, message }) => [line, column, message])).toEqual([
    [3, "Name", "The same pump is on line 2"],
    [4, "Size", "Size is a number, with a point before its decimals"],
    [5, "Name", "The same pump is on line 2"],
    [6, "Name", "Every line has one"],
    [7, "Name", "The same pump is on line 4"],
  ]);
});
