import { expect, test } from "vitest";
import { nodeForm, valuesOf } from "./node-form-values.ts";
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
