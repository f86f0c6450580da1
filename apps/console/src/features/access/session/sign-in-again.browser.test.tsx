import { RuntimeConfig } from "@busbar/contract/system/runtime-config.ts";
import { MantineProvider } from "@mantine/core";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { SignInAgain } from "./sign-in-again.tsx";

const config = RuntimeConfig.parse({});

function Screen({ isHeld }: { isHeld: boolean }) {
  return (
    <MantineProvider>
      <ApiContext value={fakeApi({}).call}>
        <input aria-label="Note" />
        {isHeld && <SignInAgain config={config} isLocalhost={false} username="robin" />}
      </ApiContext>
    </MantineProvider>
  );
}

test("who has signed in again goes on in the field in which they were", async () => {
  const screen = await render(<Screen isHeld={false} />);
  const note = screen.getByRole("textbox", { name: "Note" });
  note.element().focus();
  await screen.rerender(<Screen isHeld />);
  await expect.element(screen.getByRole("dialog", { name: "Sign in again" })).toBeVisible();
  await expect.poll(() => document.activeElement?.closest("dialog")).not.toBeNull();
  const dialog = document.querySelector("dialog")!;
  await screen.rerender(<Screen isHeld={false} />);
  await expect.element(note).toHaveFocus();
  expect(dialog.open).toBe(false);
});
