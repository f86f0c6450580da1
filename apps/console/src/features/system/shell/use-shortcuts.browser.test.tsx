import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { useShortcuts } from "./use-shortcuts.ts";

const on = { onPalette: vi.fn<() => void>(), onPaletteLikely: vi.fn<() => void>(), onHelp: vi.fn<() => void>() };

function Page({ has }: { has?: "search" | "dialog" }) {
  useShortcuts(on);
  return (
    <>
      <textarea aria-label="A text" />
      {has === "search" && <input aria-label="Search" data-search />}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as the dialogs of the console are */}
      {has === "dialog" && <section role="dialog" aria-label="A dialog" />}
    </>
  );
}

const keys = "/?{Control>}k{/Control}";
const calls = () => [on.onPalette, on.onHelp].map((each) => each.mock.calls.splice(0).length);

test("keys open the palette and the help, the search of a screen comes first, and a dialog and a field keep theirs", async () => {
  const screen = await render(<Page />);
  await userEvent.keyboard(keys);
  expect(calls()).toEqual([2, 1]);

  await screen.rerender(<Page has="dialog" />);
  await userEvent.keyboard(keys);
  expect(calls()).toEqual([0, 0]);

  await screen.rerender(<Page has="search" />);
  await userEvent.keyboard("/");
  await expect.element(screen.getByLabelText("Search")).toHaveFocus();
  // A slash in a field is text; Ctrl K goes everywhere.
  await userEvent.keyboard(keys);
  expect(calls()).toEqual([1, 0]);
  await expect.element(screen.getByLabelText("Search")).toHaveValue("/?");

  await screen.unmount();
  await userEvent.keyboard(keys);
  expect(calls()).toEqual([0, 0]);
});
