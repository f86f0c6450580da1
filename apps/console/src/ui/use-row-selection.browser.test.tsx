import { expect, test } from "vitest";
import { renderHook } from "vitest-browser-react";
import { useRowSelection } from "./use-row-selection.ts";

const rows = ["a", "b", "c", "d", "e"];
type Press = [key: string, isRange?: boolean];

test.each<[string, Press[], string]>([
  ["each by itself", [["b"], ["d"]], "bd"],
  ["twice", [["b"], ["d"], ["b"]], "d"],
  ["all down to another", [["b"], ["d", true]], "bcd"],
  ["all up to another", [["d"], ["b", true]], "bcd"],
  ["from the one that was pressed last, not from the first", [["a"], ["c"], ["e", true]], "acde"],
  ["of a range again", [["a"], ["c", true], ["e", true]], "abcde"],
  ["what becomes as the last one, which is not chosen any more", [["a"], ["e", true], ["b"], ["d", true]], "ae"],
  ["a range that begins nowhere", [["c", true]], "c"],
  ["a row that is not shown", [["a"], ["x", true], ["c", true]], "acx"],
])("rows are chosen by key and by range: %s", async (_what, presses, chosen) => {
  const { result, act } = await renderHook(() => useRowSelection(rows));
  for (const [key, isRange = false] of presses) await act(() => result.current.toggle(key, isRange));
  expect([...result.current.chosen].toSorted().join("")).toBe(chosen);
  await act(() => result.current.choose(["e", "x"]));
  expect([...result.current.chosen]).toEqual(["e", "x"]);
});
