import { NewConsoleError } from "@busbar/contract/system/system-messages.ts";
import { expect, test } from "vitest";
import { errorReport, isMissingPart } from "./error-report.ts";

test("A-03 a failure is reported as the server takes it, without the texts of the address, under one id", () => {
  const error = new TypeError(`x is undefined ${"y".repeat(600)}`);
  error.stack =
    "TypeError: x\n    at Tree (https://busbar.example/admin/assets/tree-B1.js?t=1:1:9)\n    at https://busbar.example/admin/assets/a.js:21:34";
  const report = errorReport(error, "#/customers?filterText=secret");
  expect(NewConsoleError.parse(report)).toEqual(report);
  expect(report).toMatchObject({ screen: "/customers", trace: "at Tree (admin/assets/tree-B1.js:1:9) at admin/assets/a.js:21:34" });
  expect(errorReport(error, "#/customers?filterText=other").id).toBe(report.id);
  expect(errorReport(error, "#/nodes").id).not.toBe(report.id);
  error.stack = Array.from({ length: 20 }, (_, index) => `at a.js:${index}:1`).join("\n");
  expect(errorReport(error, "").trace.match(/at /g)).toHaveLength(6);
});

test.each([undefined, null, "", "text", 7, { toString: () => "object" }, new Error()])(
  "A-03 %j can be thrown and is reported",
  (thrown) => {
    const report = errorReport(thrown, "");
    expect(NewConsoleError.parse(report)).toEqual(report);
  },
);

test.each([
  ["Failed to fetch dynamically imported module: http://127.0.0.1/admin/assets/a.js", true],
  ["error loading dynamically imported module: http://127.0.0.1/a.js", true],
  ["Importing a module script failed.", true],
  ["Unable to preload CSS for /assets/a.css", true],
  ["x is undefined", false],
])("A-03 %s is a missing part of the program: %j", (message, isMissing) => {
  expect(isMissingPart(new TypeError(message))).toBe(isMissing);
});
