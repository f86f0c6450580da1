import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { CommandPalette } from "./command-palette.tsx";

const nothing = () => undefined;

/** The palette as the shell shows it, over an empty menu. */
function Palette() {
  const [typed, setTyped] = useState("");
  return <CommandPalette groups={[]} typed={typed} onTyped={setTyped} onClose={nothing} onGo={nothing} />;
}

test("COM-04 a search that fails, one that finds nothing and one that is under way are shown apart", async () => {
  const answer = Promise.withResolvers<unknown[]>();
  const api = fakeApi({ "GET /find": () => answer.promise });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <Palette />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
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
