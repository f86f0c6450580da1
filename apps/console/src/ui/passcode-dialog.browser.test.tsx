import { MantineProvider } from "@mantine/core";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiError } from "#lib/api-error.ts";
import { successSeconds } from "#ui/message-line.tsx";
import { theme } from "#ui/theme.ts";
import { PasscodeDialog } from "./passcode-dialog.tsx";

test("CUS-08 what was confirmed is the number that was shown: another number is requested again", async () => {
  const onDelete = vi.fn(() => Promise.resolve("Facility deleted successfully."));
  const shown = (confirmLabel: string) => (
    <MantineProvider theme={theme}>
      <PasscodeDialog title="Delete facility North Works?" confirmLabel={confirmLabel} onConfirm={onDelete} onClose={() => undefined}>
        <p>Gone</p>
      </PasscodeDialog>
    </MantineProvider>
  );
  const screen = await render(shown("Delete its 2 locations too"));
  await screen.getByRole("checkbox", { name: "Delete its 2 locations too" }).click();
  await screen.getByRole("textbox", { name: "2FA code" }).fill("123456");

  // Someone adds a location while the dialog is open.
  await screen.rerender(shown("Delete its 3 locations too"));
  await expect.element(screen.getByRole("checkbox", { name: "Delete its 3 locations too" })).not.toBeChecked();
  await screen.getByRole("button", { name: "Delete" }).click();
  await expect.element(screen.getByText("Please tick “Delete its 3 locations too” as well")).toBeVisible();
  expect(onDelete).not.toHaveBeenCalled();

  await screen.getByRole("checkbox", { name: "Delete its 3 locations too" }).click();
  await screen.getByRole("button", { name: "Delete" }).click();
  await expect.element(screen.getByText(/^Facility deleted successfully\./)).toBeVisible();
  expect(onDelete).toHaveBeenCalledExactlyOnceWith("123456");
});

test("CUS-08 nothing is sent without a code; after one that did not do another one is asked for", async () => {
  const onDelete = vi.fn(() => Promise.reject(new ApiError(403, "FORBIDDEN", "The code is wrong")));
  const screen = await render(
    <MantineProvider theme={theme}>
      <PasscodeDialog title="Delete facility North Works?" onConfirm={onDelete} onClose={() => undefined}>
        <p>Gone</p>
      </PasscodeDialog>
    </MantineProvider>,
  );
  const remove = screen.getByRole("button", { name: "Delete" });
  await remove.click();
  await expect.element(screen.getByText("Please enter 2FA code", { exact: true })).toBeVisible();
  expect(onDelete).not.toHaveBeenCalled();
  await screen.getByRole("textbox", { name: "2FA code" }).fill("1");
  // What is there is not asked for; what became of another code stays.
  await expect.element(screen.getByText("Please enter 2FA code", { exact: true })).not.toBeInTheDocument();
  await screen.getByRole("textbox", { name: "2FA code" }).fill("123456");
  await remove.click();
  await expect.element(screen.getByText("The code is wrong")).toBeVisible();
  await screen.getByRole("textbox", { name: "2FA code" }).fill("1");
  await expect.element(screen.getByText("The code is wrong")).toBeVisible();
  await screen.getByRole("textbox", { name: "2FA code" }).fill("");
  await remove.click();
  await expect.element(screen.getByText("Please enter 2FA code and try again", { exact: true })).toBeVisible();
  expect(onDelete).toHaveBeenCalledOnce();
});

test("A-28 the dialog stays with its sentence until someone presses Close", async () => {
  const onClose = vi.fn();
  const screen = await render(
    <MantineProvider theme={theme}>
      <PasscodeDialog
        title="Delete facility North Works?"
        onConfirm={() => Promise.resolve("Deleted. Click 'Close' to return.")}
        onClose={onClose}
      >
        <p>Gone</p>
      </PasscodeDialog>
    </MantineProvider>,
  );
  await screen.getByRole("textbox", { name: "2FA code" }).fill("123456");
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    await screen.getByRole("button", { name: "Delete" }).click();
    await expect.element(screen.getByText("Deleted. Click 'Close' to return.")).toBeVisible();
    await vi.advanceTimersByTimeAsync((successSeconds + 1) * 1_000);
    await expect.element(screen.getByText("Deleted. Click 'Close' to return.")).toBeVisible();
    expect(onClose).not.toHaveBeenCalled();
    await screen.getByRole("button", { name: "Close" }).last().click();
    expect(onClose).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});
