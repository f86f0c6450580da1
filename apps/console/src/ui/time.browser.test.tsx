import { afterEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { DateTime } from "./date-time.tsx";
import { TimeAgo } from "./time-ago.tsx";

afterEach(() => void vi.useRealTimers());

test("COM-05 the time ago ticks, and renders only when its words change", async () => {
  vi.useFakeTimers();
  const now = Math.floor(Date.now() / 1000);
  const both = [now - 58, now + 30];
  const drawn = (timestamps: readonly number[]) =>
    timestamps.map((timestamp) => (
      <p key={timestamp}>
        <TimeAgo timestamp={timestamp} />
      </p>
    ));
  const screen = await render(<>{drawn(both)}</>);
  const texts = () => [...screen.container.querySelectorAll("p")].map(({ textContent }) => textContent);
  expect(texts()).toEqual(["58 seconds ago", "just now"]);
  await vi.advanceTimersByTimeAsync(2_000);
  await expect.poll(texts).toEqual(["1 minute ago", "just now"]);
  // The clock goes on for those that stay, and for no one.
  await screen.rerender(<>{drawn(both.slice(0, 1))}</>);
  await vi.advanceTimersByTimeAsync(60_000);
  await expect.poll(texts).toEqual(["2 minutes ago"]);
  await screen.unmount();
  expect(vi.getTimerCount()).toBe(0);
});

test("COM-06 a timestamp in the place's zone; UTC and the reader's time on hover", async () => {
  const screen = await render(<DateTime timestamp={1_793_514_600} timezone="Asia/Kolkata" />);
  const shown = screen.getByText("2026-11-01 12:00:00 GMT+5:30");
  await userEvent.hover(shown);
  const title = shown.element().getAttribute("title") ?? "";
  expect(title.split("\n")).toEqual([
    "2026-11-01 12:00:00 GMT+5:30 (Asia/Kolkata)",
    "2026-11-01 06:30:00 UTC",
    expect.stringMatching(/^2026-11-01 .* yours\)$/),
  ]);
});
