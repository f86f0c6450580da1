import type { NodeTask } from "@busbar/contract/directory/node-tasks.ts";
import { expect, test } from "vitest";
import { asksForConfiguration, asksForCredentials, labelOfId, labelsOf, updaterOf } from "./task-names.ts";

const task = (taskTemplateId: number, groupId: number, sequenceId: number) => ({ taskTemplateId, groupId, sequenceId }) as NodeTask;

test("TSK-02 TSK-06 a task is called by the letter of its group and its place in it", () => {
  expect([101, 110, 202, 212].map(labelOfId)).toEqual(["A1", "A10", "B2", "B12"]);
  expect(labelsOf([202, 101, 999], [task(101, 1, 1), task(202, 2, 2)])).toBe("B2, A1, 999");
});

test("A6 to A8 ask for credentials, A6 to A10 for the configuration", () => {
  const around = [105, 106, 108, 109, 110, 111];
  expect([around.filter(asksForCredentials), around.filter(asksForConfiguration)]).toEqual([
    [106, 108],
    [106, 108, 109, 110],
  ]);
});

test("who updated a task is named in full where that name is known", () => {
  const named = (lastUpdatedFullname: string) => updaterOf({ lastUpdatedFullname, lastUpdatedUsername: "kim" } as NodeTask);
  expect([named("Kim Doe"), named("")]).toEqual(["Kim Doe", "kim"]);
});
