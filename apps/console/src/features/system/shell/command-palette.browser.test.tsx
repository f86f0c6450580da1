import { nothingFound } from "@busbar/contract/system/find.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { CommandPalette } from "./command-palette.tsx";

const nothing = () => undefined;

/** The palette as the shell shows it, over an empty menu. */
function Palette({ onGo }: { onGo: (path: string) => void }) {
  const [typed, setTyped] = useState("");
  return <CommandPalette groups={[]} typed={typed} onTyped={setTyped} onClose={nothing} onGo={onGo} />;
}

const open = ({ call }: ReturnType<typeof fakeApi>, onGo: (path: string) => void = nothing) =>
  render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={call}>
          <Palette onGo={onGo} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );

test("COM-04 a search that fails, one that finds nothing and one that is under way are shown apart", async () => {
  const answer = Promise.withResolvers<unknown[]>();
  const api = fakeApi({ "GET /find": () => answer.promise });
  const screen = await open(api);
  const field = screen.getByRole("combobox", { name: "Go to" });
  const note = screen.getByRole("status");
  await field.fill("pump 7");
  await expect.element(note).toHaveTextContent("Searching…");
  answer.resolve([]);
  await expect.element(note).toHaveTextContent("Nothing is called “pump 7”.");
  expect(screen.getByRole("alert").query()).toBeNull();

  api.answers["GET /find"] = () => Promise.reject(new ApiError(503, "", "The database is away."));
  await field.fill("pump 8");
  await expect.element(screen.getByRole("alert")).toHaveTextContent("The database is away.");
  await expect.element(note).toBeEmptyDOMElement();

  api.answers["GET /find"] = () => [];
  // What is too short to be looked for, and a screen, need no word.
  for (const typed of ["p", "GP Node Events"]) {
    await field.fill(typed);
    await expect.element(screen.getByRole("alert")).not.toBeInTheDocument();
    await expect.element(note).toBeEmptyDOMElement();
  }
});

test("a node that was found is offered once, with its place; a service is run, and only then shown", async () => {
  const went: string[] = [];
  const ran = Promise.withResolvers<unknown>();
  const api = fakeApi({
    "GET /find": ({ query }) =>
      (query as { text: string }).text === "10604"
        ? [{ ...nothingFound, kind: "node", id: "10604", serialNumber: "10604", locationName: "Fan" }]
        : [{ ...nothingFound, kind: "service", id: "BillingRoll" }],
    "PATCH /system/services/{name}/run": () => Promise.reject(new ApiError(409, "CONFLICT", "It is running already.")),
  });
  const screen = await open(api, (path) => went.push(path));
  const field = screen.getByRole("combobox", { name: "Go to" });
  const offered = () =>
    screen
      .getByRole("option")
      .elements()
      .map(({ textContent }) => textContent);
  await field.fill(" 10604 ");
  await expect
    .poll(offered)
    .toEqual([
      "10604 node, Fan",
      "Files of node 10604",
      "Events of node 10604",
      "Trends of node 10604",
      "Tasks of node 10604",
      ...["on the dashboard", "among the nodes", "among the customers", "among the users"].map((where) => `“10604” ${where}`),
    ]);
  await userEvent.keyboard("{Enter}");
  expect(went.splice(0)).toEqual(["/nodes/10604"]);

  await field.fill("run BillingR");
  await expect.poll(() => offered().slice(0, 2)).toEqual(["BillingRoll service", "Run BillingRoll action"]);
  expect(api.asked.map(({ input }) => input["query"])).toEqual([{ text: "10604" }, { text: "BillingR" }]);
  const run = screen.getByRole("option", { name: /^Run / });
  await run.click();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("It is running already.");
  expect(went).toEqual([]);
  api.answers["PATCH /system/services/{name}/run"] = () => ran.promise;
  await run.click();
  await expect
    .poll(() => api.asked.at(-1))
    .toEqual({ endpoint: "PATCH /system/services/{name}/run", input: { params: { name: "BillingRoll" } } });
  expect(went).toEqual([]);
  ran.resolve({});
  await expect.poll(() => went).toEqual(["/system/services"]);
});
