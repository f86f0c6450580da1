import { expect, test } from "vitest";
import { createUndoStack } from "./undo-stack.ts";

test("the latest goes first, each once, and a failure keeps none from running", async () => {
  const done: string[] = [];
  const undo = createUndoStack();
  undo.add(async () => void done.push("database"));
  undo.add(() => Promise.reject(new Error("stuck")));
  undo.add(async () => void done.push("port"));
  await expect(undo.run()).rejects.toThrow("1 of the parts did not stop cleanly");
  await undo.run();
  expect(done).toEqual(["port", "database"]);
});
