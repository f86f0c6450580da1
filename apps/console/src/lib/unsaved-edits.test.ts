import { expect, onTestFinished, test } from "vitest";
import { unsavedEdits } from "./unsaved-edits.ts";

test("what is edited is known by where it is, until it is taken back or given up there", () => {
  const [dialog, other] = [{}, {}];
  const question = { title: "Discard?", text: "It is lost.", stay: "Stay", lose: "Discard" };
  const all = [unsavedEdits.note(dialog), unsavedEdits.note(dialog, question), unsavedEdits.note(other), unsavedEdits.note(undefined)];
  onTestFinished(() => {
    for (const takeBack of all) takeBack();
  });
  const exist = () => [dialog, other, undefined].map((scope) => unsavedEdits.exist(scope));
  expect(exist()).toEqual([true, true, true]);
  expect([dialog, other, undefined].map((scope) => unsavedEdits.questionOf(scope))).toEqual([question, undefined, question]);
  all[1]!();
  expect([...exist(), unsavedEdits.questionOf(dialog)]).toEqual([true, true, true, undefined]);
  unsavedEdits.giveUp(dialog);
  expect(exist()).toEqual([false, true, true]);
  all[2]!();
  expect(exist()).toEqual([false, false, true]);
  all[3]!();
  expect(exist()).toEqual([false, false, false]);
});
