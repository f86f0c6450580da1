import { expect, test } from "vitest";
import { blamesData, blamesItem, isDiskFailure, isDuplicate, isLockTimeout, isOwnError, lacksPartition } from "./database-failure.ts";

const withCode = (code: string, message = "") => Object.assign(new Error(message), { code });
const judgements = { blamesData, blamesItem, isDiskFailure, isDuplicate, isLockTimeout, isOwnError, lacksPartition };

test.each<[string, unknown, (keyof typeof judgements)[]]>([
  ["a duplicate", withCode("23505"), ["blamesData", "blamesItem", "isDuplicate"]],
  ["a value that no column takes", withCode("22003"), ["blamesData", "blamesItem"]],
  ["more rows than there may be", withCode("21000"), ["blamesData", "blamesItem"]],
  ["a statement that is too complex", withCode("54000"), ["blamesData", "blamesItem"]],
  ["a check that fails", withCode("23514", 'violates check constraint "x"'), ["blamesData", "blamesItem"]],
  ["a scalar of a day without a partition", withCode("23514", 'no partition of relation "scalar" found for row'), ["lacksPartition"]],
  ["a rule of our own that raises", withCode("P0001"), ["blamesItem"]],
  ["a lock that is held too long", withCode("55P03"), ["isLockTimeout"]],
  ["a deadlock", withCode("40P01"), []],
  ["a full disk of the database", withCode("53100"), []],
  ["a database that shuts down", withCode("57P01"), []],
  ["a statement that was cancelled", withCode("57014"), []],
  ["a column that is not there", withCode("42703"), []],
  ["a database that is away", withCode("ECONNREFUSED"), []],
  ["a connection that was lost", new Error("Connection terminated unexpectedly"), []],
  ["a pool that has ended", new Error("Cannot use a pool after calling end on the pool"), []],
  ["no room in the pool", new Error("timeout exceeded when trying to connect"), []],
  ["an answer that is late", new Error("Query read timeout"), []],
  ["a file that is not there", withCode("ENOENT"), ["blamesItem"]],
  ["a file that may not be read", withCode("EACCES"), ["blamesItem"]],
  ["bytes that the disk does not give", withCode("EIO"), ["isDiskFailure"]],
  ["a disk that fails in a way of its own", withCode("Unknown system error -117"), ["isDiskFailure"]],
  ["a full disk", withCode("ENOSPC"), []],
  ["too many open files", withCode("EMFILE"), []],
  ["a fault of our program", new TypeError("x is undefined"), ["blamesItem", "isOwnError"]],
  ["a range of ours", new RangeError("Invalid time value"), ["blamesItem", "isOwnError"]],
  ["text that cannot be parsed", new SyntaxError("Unexpected token"), ["blamesItem", "isOwnError"]],
  ["a name that is not there", new ReferenceError("x is not defined"), ["blamesItem", "isOwnError"]],
  ["an error without a code", new Error("This file is torn"), ["blamesItem"]],
  ["what is no error", "text", ["blamesItem"]],
])("%s is judged alike everywhere", (_, error, expected) => {
  const found = Object.entries(judgements).flatMap(([name, judge]) => (judge(error) ? [name] : []));
  expect(found.toSorted()).toEqual(expected.toSorted());
});
