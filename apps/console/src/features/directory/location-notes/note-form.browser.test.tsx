import type { LocationNote, LocationNoteForm } from "@busbar/contract/directory/location-notes.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { LocationNotesDialog } from "./location-notes-dialog.tsx";
import { NoteForm } from "./note-form.tsx";
import { NoteList } from "./note-list.tsx";

const note: LocationNote = {
  id: 1,
  // 01:30 for the second time that night
  timestamp: Date.parse("2026-11-01T07:30:00Z") / 1000,
  note: "Belt replaced",
  details: "",
  showInVoltagePlot: true,
  showInCurrentPlot: true,
  showInAccumulatedAmpHoursPlot: true,
  authorUserId: 1,
  updatedTimestamp: 1_793_000_000,
  firstName: "Ines",
  lastName: "Tester",
  isArchived: false,
  revision: 1,
};

async function show(edited?: LocationNote) {
  const onSave = vi.fn<(values: LocationNoteForm) => Promise<void>>(() => Promise.resolve());
  const screen = await render(
    <MantineProvider theme={theme}>
      <NoteForm timezone="America/Chicago" onSave={onSave} {...(edited ? { note: edited } : {})} />
    </MantineProvider>,
  );
  return { screen, onSave };
}

test("COM-08 the line below says which instant is stored, also in the second of two equal hours", async () => {
  const { screen, onSave } = await show(note);
  const time = screen.getByRole("textbox", { name: "Date and time" });
  await expect.element(time).toHaveValue("2026-11-01 01:30:00");
  await expect.element(screen.getByText("You entered 2026-11-01 07:30:00 UTC")).toBeVisible();
  await screen.getByRole("button", { name: "Update" }).click();
  expect(onSave.mock.lastCall?.[0].timestamp).toBe(note.timestamp);
  // What is typed is the first of the two.
  await time.fill("2026-11-1 1:30:00");
  await expect.element(screen.getByText("You entered 2026-11-01 06:30:00 UTC")).toBeVisible();
  await screen.getByRole("button", { name: "Update" }).click();
  expect(onSave.mock.lastCall?.[0].timestamp).toBe(note.timestamp - 3_600);
});

test("COM-03 NOT-04 what a new note lacks is marked in red from the start", async () => {
  const { screen } = await show();
  await expect.element(screen.getByText("Please correct the fields marked in red to enable Add button.")).toBeVisible();
  await expect.element(screen.getByRole("textbox", { name: "Note" })).toHaveAttribute("aria-invalid", "true");
  // in words when someone was there
  expect(screen.container.textContent).not.toContain("Note is required");
  await screen.getByRole("textbox", { name: "Note" }).click();
  await screen.getByRole("textbox", { name: "Details" }).click();
  await expect.element(screen.getByText("Note is required")).toBeVisible();
  await screen.getByRole("textbox", { name: "Note" }).fill("Belt replaced");
  await expect.element(screen.getByRole("button", { name: "Add" })).toBeEnabled();
  // Nothing of a long text that is pasted goes silently: it is said that there is too much.
  await screen.getByRole("textbox", { name: "Note" }).fill("x".repeat(2_001));
  await expect.element(screen.getByText("Note has at most 2000 characters")).toBeVisible();
});

test("NOT-02 NOT-04 notes are added, edited with their revision, archived and taken back; then the list is shown", async () => {
  const archived = { ...note, id: 2, note: "Old belt", isArchived: true, showInVoltagePlot: false };
  const api = fakeApi({
    "GET /locations/{id}": () => ({ id: 7, name: "Press 3", timezone: "America/Chicago", nodes: [] }),
    "GET /locations/{id}/notes": ({ query }) => (Object.hasOwn(query ?? {}, "include_archived") ? [note, archived] : [note]),
    "POST /locations/{id}/notes": () => note,
    "PATCH /locations/{id}/notes/{noteId}": () => note,
    "POST /locations/{id}/notes/{noteId}/archive": () => note,
    "DELETE /locations/{id}/notes/{noteId}/archive": () => note,
  });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <LocationNotesDialog locationId={7} onClose={() => undefined} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  // Close had it: the first Enter closed the dialog.
  await expect.element(screen.getByRole("button", { name: "Add a new note" })).toHaveFocus();
  const press = (name: string) => screen.getByRole("button", { name, exact: true }).click();
  const done = async (words: RegExp) => {
    await expect.element(screen.getByText(words)).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Current notes" })).toHaveFocus();
    await expect.element(screen.getByRole("button", { name: "Current notes" })).toHaveAttribute("aria-expanded", "true");
  };
  await press("Edit note");
  await screen.getByRole("textbox", { name: "Details" }).fill("by Kim");
  await press("Update");
  await done(/^Note saved successfully/);
  await press("Add a new note");
  await screen.getByRole("textbox", { name: "Note" }).fill("New bearing");
  await screen.getByLabelText("Show in current plot").click();
  await press("Add");
  await done(/^Note saved successfully/);
  await press("Archive note");
  await done(/^Note archived successfully/);
  await screen.getByLabelText("Show Archived Notes").click();
  await press("Unarchive note");
  await done(/^Note unarchived successfully/);
  // An edit that is thrown away asks first.
  await press("Edit note");
  await screen.getByRole("textbox", { name: "Details" }).fill("nothing");
  const details = screen.getByRole("textbox", { name: "Details" });
  for (const other of ["Edit a note", "Add a new note", "Current notes"]) {
    await press(other);
    await press("Keep editing");
    await expect.element(details).toHaveValue("nothing");
  }
  await press("Current notes");
  await press("Discard changes");
  await expect.element(screen.getByRole("button", { name: "Current notes" })).toHaveAttribute("aria-expanded", "true");
  const sent = api.asked.filter(({ endpoint }) => !endpoint.startsWith("GET")).map(({ endpoint, input }) => ({ endpoint, ...input }));
  const { timestamp, showInVoltagePlot, showInAccumulatedAmpHoursPlot } = note;
  expect(sent).toEqual([
    {
      endpoint: "PATCH /locations/{id}/notes/{noteId}",
      params: { id: "7", noteId: "1" },
      body: {
        timestamp,
        note: "Belt replaced",
        details: "by Kim",
        showInVoltagePlot,
        showInCurrentPlot: true,
        showInAccumulatedAmpHoursPlot,
        revision: 1,
      },
    },
    {
      endpoint: "POST /locations/{id}/notes",
      params: { id: "7" },
      body: expect.objectContaining({ note: "New bearing", details: "", showInVoltagePlot: true, showInCurrentPlot: false }),
    },
    { endpoint: "POST /locations/{id}/notes/{noteId}/archive", params: { id: "7", noteId: "1" } },
    { endpoint: "DELETE /locations/{id}/notes/{noteId}/archive", params: { id: "7", noteId: "2" } },
  ]);
});

test("NOT-03 a note has its time, its words, who updated it when, and what can be done with it; an archived one is taken back", async () => {
  const done: string[] = [];
  const on = (what: string) => (of: LocationNote) => void done.push(`${what} ${of.id}`);
  const rest = { timezone: "America/Chicago", onEdit: on("edit"), onArchive: on("archive"), onUnarchive: on("unarchive") };
  const notes = [
    { ...note, details: "Both of them" },
    { ...note, id: 2, isArchived: true, firstName: "", lastName: "" },
  ];
  const list = (isWorking: boolean) => (
    <MantineProvider theme={theme}>
      <NoteList notes={notes} isWorking={isWorking} {...rest} />
    </MantineProvider>
  );
  const screen = await render(list(false));
  const texts = () => [...document.querySelectorAll("li")].map(({ textContent }) => textContent.replaceAll(/\s+/g, " "));
  expect(texts()[0]).toMatch(/^2026-11-01 01:30:00 CST ?Belt replacedDetails Both of them/);
  expect(texts()[0]).toMatch(/Updated by Ines Tester at 2026-10-26 02:33:20 CDT$/);
  expect(texts()[1]).toMatch(/Archived/);
  expect(texts()[1]).toMatch(/Updated by a former user at/);
  for (const button of screen.getByRole("button").elements()) (button as HTMLElement).click();
  expect(done).toEqual(["edit 1", "archive 1", "unarchive 2"]);
  await screen.rerender(list(true));
  expect(
    screen
      .getByRole("button")
      .elements()
      .every((button) => (button as HTMLButtonElement).disabled),
  ).toBe(true);
});
