import type { Incident } from "@busbar/contract/alarms/incidents.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { keepFocus } from "#ui/kept-focus.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { noIncidentFilter } from "./incident-filter.ts";
import { IncidentList } from "./incident-list.tsx";
import { IncidentScreen } from "./incident-screen.tsx";
import { OpenIncidents } from "./open-incidents.tsx";

const incident: Incident = {
  id: 7,
  kind: "link",
  alarmKind: "",
  serialNumber: "10604",
  facilityId: 12,
  customerName: "Alder Pumping",
  facilityName: "North Works",
  locationName: "Feed Pump 1",
  timezone: "America/Chicago",
  nodeCount: 1,
  openNodeCount: 1,
  occurrenceCount: 1,
  beganTimestamp: 1_790_000_000,
  calmTimestamp: null,
  endedTimestamp: null,
  owner: "",
  acknowledgedBy: "",
  acknowledgedTimestamp: null,
  noteCount: 101,
  sentCount: 100,
  heldCount: 0,
  isMuted: false,
  revision: 1,
};

async function show(
  answers: Record<string, (input: Record<string, unknown>) => unknown>,
  filter = noIncidentFilter,
  onSwap = vi.fn<(serial: string) => void>(),
) {
  return render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={fakeApi({ "GET /incidents/people": () => [], ...answers }).call}>
          <IncidentList filter={filter} onFilter={() => undefined} />
          <IncidentScreen id="7" self="ann" onSwap={onSwap} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test("the incidents say that none is open, that they are loading, and what failed", async () => {
  const { promise, resolve } = Promise.withResolvers<[]>();
  const screen = await show({
    "GET /incidents": () => promise,
    "GET /incidents/{id}": () => {
      throw new ApiError(503, "UNAVAILABLE", "The database is away");
    },
  });
  await expect.element(screen.getByText("Loading the incidents")).toBeInTheDocument();
  await expect.element(screen.getByRole("alert").getByText("The database is away")).toBeVisible();
  resolve([]);
  await expect.element(screen.getByText("No incident is open")).toBeVisible();
});

test("the facility's button is beside the days, also beside wrong ones", async () => {
  await page.viewport(1_800, 700);
  const reversed = { ...noIncidentFilter, facility: "12", from: "2026-11-25", to: "2026-11-20" };
  const screen = await show({ "GET /incidents": () => [], "GET /incidents/{id}": () => new Promise<never>(() => undefined) }, reversed);
  await expect.element(screen.getByText("Ends before it begins: no days are chosen")).toBeVisible();
  const topOf = (field: { element: () => Element }) => Math.round(field.element().getBoundingClientRect().top);
  expect(topOf(screen.getByRole("button", { name: "Only facility 12: show all" }))).toBe(topOf(screen.getByLabelText("From")));
});

test("what is open of a node and the list of the same incidents stand beside each other", async () => {
  const { call } = fakeApi({ "GET /incidents/people": () => [], "GET /incidents": () => [] });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const both = (isList: boolean) => (
    <MantineProvider theme={theme}>
      <QueryClientProvider client={client}>
        <ApiContext value={call}>
          <OpenIncidents of={{ serial: "10604" }} all="#/incidents?serial=10604" />
          {isList && <IncidentList filter={{ ...noIncidentFilter, serial: "10604" }} onFilter={() => undefined} />}
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>
  );
  const screen = await render(both(false));
  await expect.poll(() => client.isFetching() === 0 && client.getQueryCache().getAll().length > 0).toBe(true);
  await screen.rerender(both(true));
  await expect.element(screen.getByText(/^No incident/)).toBeVisible();
});

test("a list says that more messages were sent than are counted; characters of a note that turn its words are symbols", async () => {
  const onSwap = vi.fn<(serial: string) => void>();
  const members = ["10605", "10606"].map((serialNumber) => ({
    serialNumber,
    locationName: serialNumber === "10605" ? "Kiln 2 Fan" : "",
    beganTimestamp: 1_790_000_000,
    endedTimestamp: null,
    count: 1,
  }));
  const asked: unknown[] = [];
  const answers = {
    "PATCH /incidents/{id}": ({ body }: Record<string, unknown> = {}) => asked.push(body) && {},
    "GET /incidents": () => [incident],
    "GET /incidents/{id}": () => ({
      incident: { ...incident, occurrenceCount: 3 },
      members,
      notes: [{ id: 1, timestamp: 1_790_000_000, author: "ann", note: "ok\u202egnp.exe" }],
      messages: [],
    }),
  };
  const screen = await show(answers, noIncidentFilter, onSwap);
  // A node at no place has none to hand over.
  await expect.element(screen.getByRole("button", { name: "Swap node 10606…" })).not.toBeInTheDocument();
  await screen.getByRole("button", { name: "Swap node 10605…" }).click();
  expect(onSwap).toHaveBeenCalledExactlyOnceWith("10605");
  await expect.element(screen.getByText(/It came 3 times\.$/)).toBeVisible();
  await expect.element(screen.getByText("99+", { exact: true })).toBeVisible();
  await expect.element(screen.getByText("The last 100 notes.")).toBeVisible();
  await expect.element(screen.getByText("ok‹U+202E›gnp.exe")).toBeVisible();
  // What someone decides is of the incident as it was seen.
  await screen.getByRole("button", { name: "Take over" }).click();
  await screen.getByRole("button", { name: "Acknowledge" }).click();
  await vi.waitFor(() =>
    expect(asked).toEqual([
      { owner: "ann", revision: 1 },
      { isAcknowledged: true, revision: 1 },
    ]),
  );
  // Nothing is marked before someone typed.
  const note = screen.getByRole("textbox", { name: "Note" });
  await expect.element(screen.getByRole("button", { name: "Add note" })).toBeDisabled();
  await expect.element(note).not.toHaveAttribute("aria-invalid", "true");
  await note.fill("x");
  await expect.element(screen.getByRole("button", { name: "Add note" })).toBeEnabled();
  await note.fill("");
  await expect.element(note).toHaveAttribute("aria-invalid", "true");
});

test("a note that was added is in the field no more; one that was refused stays", async () => {
  let isRefused = true;
  const details = { incident, members: [], notes: [], messages: [] };
  const screen = await show({
    "GET /incidents/{id}": () => details,
    "POST /incidents/{id}/notes": () => {
      if (isRefused) throw new ApiError(503, "UNAVAILABLE", "The database is away");
      return details;
    },
  });
  const note = screen.getByRole("textbox", { name: "Note" });
  const add = screen.getByRole("button", { name: "Add note" });
  await note.fill("Looked at it");
  await add.click();
  await expect.element(screen.getByText("The database is away")).toBeVisible();
  await expect.element(note).toHaveValue("Looked at it");
  isRefused = false;
  await add.click();
  await expect.element(note).toHaveValue("");
});

test("an incident that is gone is named, with a way to the others", async () => {
  const screen = await show({
    "GET /incidents": () => {
      throw new ApiError(503, "UNAVAILABLE", "The database is away");
    },
    "GET /incidents/{id}": () => {
      throw new ApiError(404, "NOT_FOUND", "This incident was not found: it may have been deleted");
    },
  });
  await expect.element(screen.getByText("This incident was not found: it may have been deleted")).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "All incidents" })).toBeVisible();
  await expect.element(screen.getByRole("alert").getByText("The database is away")).toBeVisible();
});

const keep = (main: HTMLElement | null) => (main ? keepFocus(main, { isOnTop: () => true }) : undefined);

test("the focus stays with what one does: at Give to, in its list and back at it, and beside a verb that is gone", async () => {
  let owner = "";
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext
          value={
            fakeApi({
              "GET /incidents/people": () => [{ username: "ann" }, { username: "ben" }],
              "GET /incidents/{id}": () => ({ incident: { ...incident, owner }, members: [], notes: [], messages: [] }),
              "PATCH /incidents/{id}": ({ body }) => {
                ({ owner } = body as { owner: string });
                return { incident: { ...incident, owner }, members: [], notes: [], messages: [] };
              },
            }).call
          }
        >
          <main tabIndex={-1} ref={keep}>
            <IncidentScreen id="7" self="ann" onSwap={() => undefined} />
          </main>
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const giveTo = screen.getByRole("button", { name: "Give to" });
  await giveTo.click();
  expect(screen.getByText(/It came/).elements()).toEqual([]);
  await expect.element(screen.getByRole("combobox", { name: "Give to" })).toHaveFocus();
  await userEvent.keyboard("ben{ArrowDown}{Enter}");
  await expect.element(screen.getByText(/^ben looks after it/)).toBeVisible();
  await expect.element(giveTo).toHaveFocus();
  screen.getByRole("button", { name: "Take over" }).element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByText(/^ann looks after it/)).toBeVisible();
  await expect.element(giveTo).toHaveFocus();
  screen.getByRole("button", { name: "No owner" }).element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByText("No one looks after it.", { exact: false })).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "Changes" })).toHaveFocus();
});
