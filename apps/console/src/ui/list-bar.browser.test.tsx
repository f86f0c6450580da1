import { MantineProvider } from "@mantine/core";
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { chosenColumns } from "./chosen-columns.ts";
import type { Column } from "./column.ts";
import { ListBar } from "./list-bar.tsx";
import { theme } from "./theme.ts";

const column = (label: string): Column<string> => ({ label, text: (row) => row });
const usual = ["Name", "Status"].map(column);
const columns = [...usual, column("Type"), { ...column("Version"), only: "file" as const }];

interface BarProps {
  first?: string;
  hiddenCount?: number;
  hiddenBy?: string[];
  leftOut?: string[];
}

function Bar({ first = "", hiddenCount, hiddenBy = [], leftOut = [] }: BarProps) {
  const [choice, setChoice] = useState(first);
  const { chosen } = chosenColumns(columns, choice, usual);
  return (
    <MantineProvider theme={theme}>
      <ListBar
        columns={columns}
        usual={usual}
        choice={choice}
        onChoice={setChoice}
        noun="node"
        hiddenCount={hiddenCount}
        hiddenBy={hiddenBy}
        leftOut={leftOut}
      />
      <p data-testid="choice">{choice}</p>
      <p data-testid="shown">{chosen.map(({ label }) => label).join()}</p>
    </MantineProvider>
  );
}

const choice = () => page.getByTestId("choice").element().textContent;

test("columns are chosen by keyboard; the first stays, and how many are hidden stays in sight", async () => {
  await render(<Bar />);
  const button = page.getByRole("button", { name: "Columns: 1 hidden" });
  button.element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("checkbox", { name: "Name" })).toBeDisabled();
  expect(page.getByRole("checkbox").elements()).toHaveLength(3);
  await page.getByRole("checkbox", { name: "Status" }).click();
  await expect.poll(choice).toBe("Name");
  await expect.element(page.getByRole("button", { name: "Columns: 2 hidden" })).toBeVisible();
  page.getByRole("checkbox", { name: "Type" }).element().focus();
  await userEvent.keyboard(" ");
  await expect.poll(choice).toBe("Name,Type");
  await page.getByRole("checkbox", { name: "Status" }).click();
  await expect.poll(choice).toBe("all");
  await page.getByRole("button", { name: "As usual" }).click();
  await expect.poll(choice).toBe("");
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("checkbox", { name: "Status" })).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Columns: 1 hidden" })).toHaveFocus();
});

test.each([
  ["Name,Weight", "◆ A column is no longer there: Weight", "Name"],
  ["Weight,Height", "◆ Columns are no longer there: Weight, Height", "Name,Status"],
])("of %s the columns that are not there are left out, and named", async (first, words, shown) => {
  await render(<Bar first={first} />);
  await expect.element(page.getByText(words, { exact: true })).toBeVisible();
  expect(page.getByTestId("shown").element().textContent).toBe(shown);
});

test.each([
  [{ hiddenCount: 1_234, hiddenBy: ["search", "Unassigned off"] }, "1,234 nodes hidden by search, Unassigned off"],
  [{ hiddenCount: 1 }, "1 node hidden"],
  [{ hiddenBy: ["who"] }, "Some nodes hidden by who"],
  [{ leftOut: ["Sign-ins", "Files"] }, "Hidden unless asked for: Sign-ins, Files"],
  [{ hiddenBy: ["who"], leftOut: ["Sign-ins"] }, "Some nodes hidden by who. Hidden unless asked for: Sign-ins"],
  [{ hiddenCount: 0, hiddenBy: ["search"] }, ""],
  [{}, ""],
])("of %j it says what is hidden", async (hidden, words) => {
  const { container } = await render(<Bar {...hidden} />);
  await expect.element(page.getByRole("button", { name: /^Columns/ })).toBeVisible();
  expect(container.querySelector(".hidden-chip")?.textContent ?? "").toBe(words);
});
