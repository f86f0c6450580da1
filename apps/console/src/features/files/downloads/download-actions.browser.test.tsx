import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { theme } from "#ui/theme.ts";
import { DownloadActions } from "./download-actions.tsx";

const begin = "GET /node-dashboard/nodes/{serial}/files/download";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function show(api: ReturnType<typeof fakeApi>) {
  return render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={api.call}>
          <DownloadActions serial="10234" timezone="America/Chicago" />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
}

test("COM-10 FIL-05 a success is shown for 20 s, then it is idle again; a failure stays, in the server's words", async () => {
  const api = fakeApi({ [begin]: () => "someone@busbar.example" });
  const screen = await show(api);
  const text = () => screen.container.querySelector(".download-message")!.textContent;
  const button = screen.getByRole("button", { name: "Download all files" }).element() as HTMLButtonElement;
  expect(text()).toBe("");
  button.click();
  const success = "All files of node 10234 will be packed. A link is sent to someone@busbar.example.";
  await expect.poll(text).toContain(success);
  await vi.advanceTimersByTimeAsync(19_900);
  expect(text()).toContain(success);
  await vi.advanceTimersByTimeAsync(200);
  await expect.poll(text).toBe("");

  api.answers[begin] = () => {
    throw new ApiError(429, "TOO_MANY_REQUESTS", "You have 3 downloads already");
  };
  button.click();
  await expect.poll(text).toBe("You have 3 downloads already");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(text()).toBe("You have 3 downloads already");
});

test("U-15 files since a time that is still to come are not packed", async () => {
  const screen = await show(fakeApi({}));
  for (const [label, button] of [
    ["Since", "Download files since"],
    ["Harmonics from", "Request harmonics files"],
  ] as const) {
    const field = screen.getByLabelText(label);
    const send = screen.getByRole("button", { name: button });
    expect((send.element() as HTMLButtonElement).disabled).toBe(false);
    await field.fill("2040-01-01 00:00:00");
    await expect.element(field).toHaveAccessibleDescription(/This time is still to come/);
    expect((send.element() as HTMLButtonElement).disabled).toBe(true);
  }
});

test("FIL-05 harmonics are requested from 1577872200 on, unless something else is entered", async () => {
  const api = fakeApi({ "GET /nodes/{serial}/harmonics": () => "someone@busbar.example" });
  const screen = await show(api);
  (screen.getByRole("button", { name: "Request harmonics files" }).element() as HTMLButtonElement).click();
  await expect.poll(() => api.asked).toHaveLength(1);
  expect(api.asked[0]!.input).toMatchObject({ params: { serial: "10234" }, query: { startTimestamp: "1577872200" } });
});
