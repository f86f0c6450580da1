import { newNodeDefaults } from "@busbar/contract/directory/node-fields.ts";
import { expect, test } from "vitest";
import { asksForWiringReason, newNodeOf, nodeForm, patchOf, valuesOf } from "./node-form-values.ts";
import { sampleNode } from "./nodes.fixture.ts";

const problemsOf = (node: typeof sampleNode | undefined, forcedTime: string) => {
  const values = { ...valuesOf(node), serialNumber: "10101", container: "Rack 1", newDeploymentStatus: "Unassigned" as const, forcedTime };
  return (
    nodeForm(node, "UTC")
      .safeParse(values)
      .error?.issues.map(({ message }) => message) ?? []
  );
};

test("U-15 a status is since a time in the past; one that is to come is forced to any time", () => {
  expect(problemsOf(undefined, "2040-01-01 00:00:00")).toEqual(["Status Since is a time in the past"]);
  expect(problemsOf(undefined, "2020-01-01 00:00:00")).toEqual([]);
  expect(problemsOf(sampleNode, "2040-01-01 00:00:00")).toEqual([]);
});

const formOnly = { newContainer: "", forcedTime: "", wiringReason: "" };

test("the form begins with the node, or with what a new one is by default", () => {
  expect(valuesOf(undefined)).toEqual({ ...newNodeDefaults, serialNumber: "", container: "", ...formOnly });
  const own = { serialNumber: "10101", container: "Rack 1", newDeploymentStatus: "Pre-Deployment" };
  expect(valuesOf(sampleNode)).toEqual({ ...newNodeDefaults, ...own, ...formOnly });
});

test("of a node what was changed is sent, of a new one everything; a container that is typed wins, a time is that of the place", () => {
  const values = { ...valuesOf(sampleNode), newContainer: " Rack 2 ", forcedTime: "2026-09-21 09:13:20", dataPointInterval: 60 };
  const changed = { container: "Rack 2", dataPointInterval: 60, newDeploymentStatusUpdateTimestamp: 1_790_000_000 };
  expect(patchOf(sampleNode, values, "America/Chicago")).toEqual({ ...changed, revision: 3 });
  expect(patchOf(sampleNode, valuesOf(sampleNode), "America/Chicago")).toEqual({ revision: 3 });
  const added = { ...newNodeDefaults, serialNumber: "10102", container: "Rack 1" };
  expect(newNodeOf({ ...added, ...formOnly }, "UTC")).toEqual(added);
  expect(newNodeOf({ ...added, ...formOnly, forcedTime: "2026-09-21 14:13:20" }, "UTC")).toEqual({
    ...added,
    newDeploymentStatusUpdateTimestamp: 1_790_000_000,
  });
});

test("a reason is asked for and sent where a node without a wiring verdict becomes Deployed, and nowhere else", () => {
  expect(asksForWiringReason(sampleNode, "Deployed")).toBe(true);
  expect(asksForWiringReason(undefined, "Deployed")).toBe(false);
  expect(asksForWiringReason(sampleNode, "Unassigned")).toBe(false);
  expect(asksForWiringReason({ ...sampleNode, lacksWiringVerdict: false }, "Deployed")).toBe(false);
  expect(asksForWiringReason({ ...sampleNode, newDeploymentStatus: "Deployed" }, "Deployed")).toBe(false);
  const values = { ...valuesOf(sampleNode), newDeploymentStatus: "Deployed" as const, wiringReason: " It runs in spring " };
  expect(patchOf(sampleNode, values, "UTC")).toEqual({ newDeploymentStatus: "Deployed", wiringReason: "It runs in spring", revision: 3 });
  expect(patchOf({ ...sampleNode, lacksWiringVerdict: false }, values, "UTC")).toEqual({ newDeploymentStatus: "Deployed", revision: 3 });
  const problems = (reason: string) =>
    nodeForm(sampleNode, "UTC")
      .safeParse({ ...values, wiringReason: reason })
      .error?.issues.map(({ path }) => path.join("."));
  expect([problems(" "), problems("It runs in spring"), problems("x".repeat(501))]).toEqual([
    ["wiringReason"],
    undefined,
    ["wiringReason"],
  ]);
});

test.each([
  ["a status that is awaited", { newDeploymentStatus: "Pre-Deployment" as const, forcedTime: "2020-01-01 00:00:00" }, ["forcedTime"]],
  ["a time that is none", { forcedTime: "soon" }, ["forcedTime"]],
  ["a container", { container: "", newContainer: " " }, ["container"]],
  ["no more than one of them", { container: "", newContainer: "Rack 2" }, []],
])("the form asks for %s", (_, change, paths) => {
  const values = { ...valuesOf(sampleNode), newDeploymentStatus: "Unassigned" as const, ...change };
  const { error } = nodeForm(sampleNode, "UTC").safeParse(values);
  expect((error?.issues ?? []).map(({ path }) => path.join("."))).toEqual(paths);
});
