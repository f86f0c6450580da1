import { MantineProvider } from "@mantine/core";
import type { ImportPlan, ImportStep } from "@busbar/contract/values/import-plan.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import type { ImportKindName } from "./import-kinds.tsx";
import { ImportScreen } from "./import-screen.tsx";

const none = { added: 0, changed: 0, left: 0 };
const plan = (fields: Partial<ImportPlan> = {}): ImportPlan => ({
  digest: "0".repeat(64),
  lines: 3,
  counts: [
    { noun: "customer", ...none, added: 1 },
    { noun: "facility", ...none, changed: 1 },
    { noun: "location", ...none, added: 2, left: 1 },
  ],
  records: [
    {
      line: 2,
      noun: "facility",
      name: "North Works",
      isNew: false,
      changes: [
        { column: "Site", before: "North", after: "North Gate" },
        { column: "Division", before: "", after: "West" },
      ],
    },
    { line: 3, noun: "location", name: "Pump 1", isNew: true, changes: [{ column: "Time zone", before: "", after: "America/Denver" }] },
  ],
  errors: [],
  errorCount: 0,
  ignored: ["Status"],
  ...fields,
});
const answerOf = (...steps: ImportStep[]) => new Blob([steps.map((step) => `${JSON.stringify(step)}\n`).join("")]);
const asked = "POST /place-import/plan";
const done = "POST /place-import/{digest}";

async function show(api: ReturnType<typeof fakeApi>, kind: ImportKindName = "places") {
  await page.viewport(1_280, 800);
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={api.call}>
          <ImportScreen kind={kind} onKind={() => {}} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const input = document.querySelector<HTMLInputElement>("input[type=file]")!;
  const choose = (text: string, name = "customers.csv") => {
    const files = new DataTransfer();
    files.items.add(new File([text], name, { type: "text/csv" }));
    input.files = files.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  return { screen, choose, input };
}

test("what a file would do is shown, then done, and what came of it is said", async () => {
  const api = fakeApi({
    [asked]: () => answerOf({ done: 0, total: 3 }, { plan: plan() }),
    [done]: () => answerOf({ done: 0, total: 2 }, { done: 2, total: 2 }, { imported: plan().counts }),
  });
  const { screen, choose } = await show(api);
  choose("Customer code\nalder\n");
  await expect.element(screen.getByRole("row", { name: "Locations 2 0 1" })).toBeVisible();
  const change = "2 Facility North Works Site: North → North Gate; Division: (none) → West";
  await expect.element(screen.getByRole("row", { name: change })).toBeVisible();
  await screen.getByRole("button", { name: "Added 3" }).click();
  await expect.element(screen.getByRole("row", { name: "3 Location Pump 1 Time zone: America/Denver" })).toBeVisible();
  await expect.element(screen.getByRole("row", { name: change })).not.toBeInTheDocument();
  await expect.element(screen.getByText("The first 1 are listed.")).toBeVisible();
  await expect.element(screen.getByText("Columns that an import passes by: Status.")).toBeVisible();
  await screen.getByRole("button", { name: "Import" }).click();
  await expect.element(screen.getByText("Added: 1 customer, 0 facilities, 2 locations. Changed: 1.")).toBeVisible();
  const [, run] = api.asked;
  expect([run?.endpoint, run?.input["params"], new TextDecoder().decode(run?.input["body"] as Uint8Array)]).toEqual([
    done,
    { digest: "0".repeat(64) },
    "Customer code\nalder\n",
  ]);
});

test("errors are listed by line and keep the file from being imported; a failure on the way is said", async () => {
  let answer = plan({ errors: [{ line: 4, column: "Time zone", message: "Time zone is required: one of the list" }], errorCount: 1 });
  const api = fakeApi({ [asked]: () => answerOf({ plan: answer }), [done]: () => answerOf({ failure: "Nothing was changed" }) });
  const { screen, choose, input } = await show(api);
  choose("x");
  await expect.element(screen.getByRole("row", { name: "4 Time zone Time zone is required: one of the list" })).toBeVisible();
  // Else the browser would not say that the same file is chosen again.
  expect(input.value).toBe("");
  await expect.element(screen.getByRole("button", { name: "Import" })).toBeDisabled();
  await screen.getByRole("button", { name: "Changed 1" }).click();
  await expect.element(screen.getByRole("table", { name: "What changes" })).toBeVisible();
  expect(screen.getByText(/are listed/).elements()).toEqual([]);
  await screen.getByRole("button", { name: "Errors 1" }).click();
  await expect.element(screen.getByRole("table", { name: "What is wrong" })).toBeVisible();
  answer = plan();
  choose("y");
  await screen.getByRole("button", { name: "Import" }).click();
  await expect.element(screen.getByRole("alert").getByText("Nothing was changed")).toBeVisible();
  // What another file would do is not known: nothing of the one before it is left.
  await expect.element(screen.getByRole("button", { name: "Changed 1" })).toBeVisible();
  api.answers[asked] = () => {
    throw new ApiError(400, "INVALID", "This is no table");
  };
  choose("z");
  await expect.element(screen.getByText("This is no table")).toBeVisible();
  expect(screen.getByRole("button", { name: "Changed 1" }).elements()).toEqual([]);
});

test("users are imported the same way, and what is to be done about new ones is said", async () => {
  const counts = [{ noun: "user", added: 2, changed: 0, left: 1 }];
  const api = fakeApi({
    "POST /user-import/plan": () => answerOf({ plan: plan({ counts, records: [] }) }),
    "POST /user-import/{digest}": () => answerOf({ imported: counts }),
  });
  const { screen, choose } = await show(api, "users");
  choose("Username\npat\n", "users.csv");
  await expect.element(screen.getByRole("row", { name: "Users 2 0 1" })).toBeVisible();
  await screen.getByRole("button", { name: "Import" }).click();
  await expect.element(screen.getByText(/^Added: 2 users\. Changed: 0\. New users have no password yet/)).toBeVisible();
});

test("a file with its columns alone says that it has no lines", async () => {
  const counts = [{ noun: "customer", ...none }];
  const { screen, choose } = await show(fakeApi({ [asked]: () => answerOf({ plan: plan({ lines: 0, counts, records: [] }) }) }));
  choose("Customer code");
  await expect.element(screen.getByText("This file has no lines below its columns: there is nothing to import.")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Import" })).toBeDisabled();
});
