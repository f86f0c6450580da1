import { MantineProvider } from "@mantine/core";
import { useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { keepFocus } from "./kept-focus.ts";
import { theme } from "./theme.ts";

let isCovered = false;
let address = "";
const keep = (main: HTMLElement | null) => (main ? keepFocus(main, { isOnTop: () => !isCovered }) : undefined);
beforeEach(() => {
  isCovered = false;
  address = location.hash;
});
afterEach(() => {
  location.hash = address;
});

function Rows({ screen = "Rows" }: { screen?: string }) {
  const [rows, setRows] = useState(["A", "B", "C"]);
  const [isWorking, setIsWorking] = useState(false);
  return (
    <MantineProvider theme={theme}>
      <main aria-label={screen} tabIndex={-1} ref={keep}>
        <button>Before</button>
        {rows.length > 0 && (
          <section key={screen}>
            <ul>
              {rows.map((row) => (
                <li key={row}>
                  {row} <button onClick={() => setRows(rows.filter((each) => each !== row))}>End {row}</button>
                </li>
              ))}
            </ul>
            <p>{rows.join(" and ")}</p>
          </section>
        )}
        <button disabled={isWorking} onClick={() => setIsWorking(true)}>
          Work
        </button>
      </main>
      <button onClick={() => setIsWorking(false)}>Is done</button>
      <button onClick={() => setRows([])}>End all</button>
    </MantineProvider>
  );
}

const press = (name: string) => {
  const button = [...document.querySelectorAll("button")].find((each) => each.textContent === name);
  button?.focus();
  button?.click();
};
/** Without taking the focus, as an answer does. */
const answer = (name: string) => [...document.querySelectorAll("button")].find((each) => each.textContent === name)?.click();
const focused = async (name: string) => {
  await expect.poll(() => document.activeElement?.textContent).toBe(name);
};

test("the focus goes to the next of a row that is gone, to the one before where there is no next, and to the screen where there is none", async () => {
  await render(<Rows />);
  press("End A");
  await focused("End B");
  press("End C");
  await focused("End B");
  press("End B");
  await expect.poll(() => document.activeElement?.tagName).toBe("MAIN");
});

test("a button that is disabled while it works has the focus again when it may be pressed", async () => {
  await render(<Rows />);
  press("Work");
  await expect.poll(() => document.activeElement).toBe(document.body);
  answer("Is done");
  await focused("Work");
});

test("who left what is gone now by a press elsewhere, or has a dialog above it, is not fetched back", async () => {
  const screen = await render(<Rows />);
  screen.getByRole("button", { name: "End A" }).element().focus();
  (document.activeElement as HTMLElement).blur();
  await Promise.resolve();
  answer("End all");
  await expect.element(screen.getByText("End A")).not.toBeInTheDocument();
  expect(document.activeElement).toBe(document.body);
});

test("what a dialog above has is left to it", async () => {
  isCovered = true;
  const screen = await render(<Rows />);
  screen.getByRole("button", { name: "End A" }).element().focus();
  answer("End A");
  await expect.element(screen.getByText("End A")).not.toBeInTheDocument();
  expect(document.activeElement).toBe(document.body);
});

function Tips() {
  const [tip, setTip] = useState("");
  return (
    <main tabIndex={-1} ref={keep}>
      <button onFocus={() => setTip("one")} onBlur={() => setTip("")}>
        One
      </button>
      <button>Two</button>
      {tip !== "" && <p>A tip of {tip}</p>}
    </main>
  );
}

test("what goes while the focus moves on does not hold it back", async () => {
  const screen = await render(<Tips />);
  await userEvent.keyboard("{Tab}");
  await focused("One");
  await expect.element(screen.getByText("A tip of one")).toBeVisible();
  await userEvent.keyboard("{Tab}");
  await focused("Two");
  await expect.element(screen.getByText("A tip of one")).not.toBeInTheDocument();
  await focused("Two");
});

test("another screen begins with the focus on it, not on one of its buttons", async () => {
  const screen = await render(<Rows />);
  screen.getByRole("button", { name: "End A" }).element().focus();
  location.hash = "#/another";
  await screen.rerender(<Rows screen="Another" />);
  await expect.poll(() => document.activeElement?.getAttribute("aria-label")).toBe("Another");
  await userEvent.keyboard("{Tab}");
  await focused("Before");
});
