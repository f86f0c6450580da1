import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { enterInstant } from "#lib/entered-instant.ts";
import { serverClock } from "#lib/server-clock.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { mutableNode } from "./mutable.ts";
import { MuteNotices } from "./mute-control.tsx";
import { MuteDialog } from "./mute-dialog.tsx";

const timezone = "America/Chicago";
const place = { locationId: 31, locationName: "Feed Pump 1", facilityId: 12, facilityName: "North Works", timezone };

async function show(answer: (input: Record<string, unknown>) => unknown) {
  const api = fakeApi({ "POST /mutes": answer });
  const onClose = vi.fn();
  const { objects } = mutableNode({ serialNumber: "10604", ...place });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <MuteDialog objects={objects} timezone={timezone} onClose={onClose} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { screen, api, onClose };
}

test("the node itself is muted for an hour, with a reason, unless another end or its facility is chosen", async () => {
  const { screen, api, onClose } = await show(() => ({}));
  const before = Math.floor(serverClock.nowSeconds());
  await screen.getByRole("textbox", { name: "Reason" }).fill("no");
  await expect.element(screen.getByText("Reason has at least 3 characters")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Mute", exact: true })).toBeDisabled();
  await screen.getByRole("textbox", { name: "Reason" }).fill("Works on the switch");
  await screen.getByRole("combobox", { name: "What" }).click();
  await screen.getByRole("option", { name: "Facility North Works" }).click();
  await screen.getByRole("button", { name: "8 hours" }).click();
  await screen.getByRole("button", { name: "Mute", exact: true }).click();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  const { body } = api.asked[0]!.input as { body: { untilTimestamp: number } };
  expect(body).toMatchObject({ kind: "facility", objectId: 12, reason: "Works on the switch" });
  // It is entered to the second, by a clock that was read when the dialog opened.
  expect(Math.abs(body.untilTimestamp - before - 8 * 3_600)).toBeLessThanOrEqual(60);
});

test("an end in the second of two equal hours is that one", async () => {
  // Chicago's clocks go back at 07:00 UTC: eight hours on it is half past one for the second time.
  const now = Date.parse("2026-10-31T23:30:00Z") / 1000;
  const clock = vi.spyOn(serverClock, "nowSeconds").mockReturnValue(now);
  const { screen, api, onClose } = await show(() => ({}));
  await screen.getByRole("textbox", { name: "Reason" }).fill("Works on the switch");
  await screen.getByRole("button", { name: "8 hours" }).click();
  await expect.element(screen.getByText("You entered 2026-11-01 07:30:00 UTC")).toBeVisible();
  await screen.getByRole("button", { name: "Mute", exact: true }).click();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  clock.mockRestore();
  expect(api.asked[0]!.input).toMatchObject({ body: { untilTimestamp: now + 8 * 3_600 } });
});

test("an hour that ends in the second of two equal hours is still to come", async () => {
  // Half past one for the first time: an hour on, the clocks show the same.
  const now = Date.parse("2026-11-01T06:30:00Z") / 1000;
  const clock = vi.spyOn(serverClock, "nowSeconds").mockReturnValue(now);
  const { screen, api, onClose } = await show(() => ({}));
  await screen.getByRole("button", { name: "8 hours" }).click();
  await screen.getByRole("button", { name: "1 hour" }).click();
  await screen.getByRole("textbox", { name: "Reason" }).fill("Works on the switch");
  await screen.getByRole("button", { name: "Mute", exact: true }).click();
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  clock.mockRestore();
  expect(api.asked[0]!.input).toMatchObject({ body: { untilTimestamp: now + 3_600 } });
});

test("an end that has passed is refused beside its field, and what the server refuses is said in the dialog", async () => {
  const { screen, onClose } = await show(() => {
    throw new ApiError(409, "CONFLICT", "It is muted already, by ann until tomorrow. End that mute first");
  });
  await screen.getByRole("textbox", { name: "Reason" }).fill("Works on the switch");
  const until = screen.getByRole("textbox", { name: /^Until/ });
  await until.fill(enterInstant(serverClock.nowSeconds() - 60, timezone).text);
  await expect.element(screen.getByText("Enter a moment that is still to come")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Mute", exact: true })).toBeDisabled();
  await screen.getByRole("button", { name: "1 hour" }).click();
  await screen.getByRole("button", { name: "Mute", exact: true }).click();
  await expect.element(screen.getByText(/It is muted already, by ann until tomorrow/)).toBeVisible();
  expect(onClose).not.toHaveBeenCalled();
});

test("a page says which mutes cover it, its own and those of what contains it", async () => {
  const mute = (id: number, kind: string, objectId: number) => ({
    id,
    kind,
    objectId,
    untilTimestamp: 1_790_000_000,
    username: "kim",
    reason: "Works",
  });
  const api = fakeApi({ "GET /mutes": () => [mute(1, "node", 10_604), mute(2, "facility", 12), mute(3, "facility", 13)] });
  const { objects } = mutableNode({ serialNumber: "10604", ...place });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <MuteNotices objects={objects} timezone="UTC" />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const until = " until 2026-09-21 14:13:20 UTC by kim: Works";
  const words = () =>
    [...screen.container.textContent.matchAll(/Muted(?: with its \w+)? until [^:]*:\d\d:\d\d UTC by kim: Works/g)].map(String);
  await expect.poll(words).toEqual([`Muted${until}`, `Muted with its facility${until}`]);
});
