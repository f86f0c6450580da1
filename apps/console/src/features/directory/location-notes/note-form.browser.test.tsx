import type { LocationNote, LocationNoteForm } from "@busbar/contract/directory/location-notes.ts";
import { MantineProvider } from "@mantine/core";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import "@mantine/core/styles.css";
import { theme } from "#ui/theme.ts";
import { NoteForm } from "./note-form.tsx";

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
