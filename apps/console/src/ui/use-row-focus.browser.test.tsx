import { expect, test } from "vitest";
import { renderHook } from "vitest-browser-react";
import { useRowFocus } from "./use-row-focus.ts";

function rowOf(scroller: HTMLElement, index: number): HTMLElement {
  const row = document.createElement("div");
  row.tabIndex = -1;
  row.dataset["row"] = String(index);
  scroller.append(row);
  return row;
}
const frame = () => new Promise(requestAnimationFrame);

test("a row that comes into the page many frames after its key gets the focus, and not one that a later key has left", async () => {
  const scroller = document.createElement("div");
  document.body.append(scroller);
  const { result } = await renderHook(() => useRowFocus({ current: scroller }));
  result.current.focusRow(700);
  result.current.focusRow(0);
  for (let count = 0; count < 5; count++) await frame();
  rowOf(scroller, 700);
  const first = rowOf(scroller, 0);
  await expect.poll(() => document.activeElement).toBe(first);
  expect(result.current.pending.current).toBeUndefined();
  scroller.remove();
});
