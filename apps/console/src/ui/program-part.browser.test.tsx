import { MantineProvider } from "@mantine/core";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { DialogSlot } from "./program-part.tsx";
import { theme } from "./theme.ts";

vi.mock("./dialog-failure.tsx", () => ({
  DialogFailure: () => {
    throw new TypeError("Failed to fetch dynamically imported module");
  },
}));

function Broken(): never {
  throw new Error("Broken");
}

test("A-03 a dialog that fails while what dialogs are made of is missing too is said above the page, and closed", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const onClose = vi.fn<() => void>();
  const screen = await render(
    <MantineProvider theme={theme}>
      <div style={{ height: "300vh" }}>The page</div>
      <DialogSlot onClose={onClose}>
        <Broken />
      </DialogSlot>
    </MantineProvider>,
  );
  await expect.element(screen.getByText("This dialog could not be shown")).toBeInViewport();
  await screen.getByRole("button", { name: "Close" }).click();
  expect(onClose).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
});
