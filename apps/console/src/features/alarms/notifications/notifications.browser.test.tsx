import type { Notification } from "@busbar/contract/system/feeds.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { Notifications } from "./notifications.tsx";

const at = 1_790_000_000;
const message = (id: number, changed: Partial<Notification> = {}): Notification => ({
  id,
  timestamp: at + id + 0.7,
  kind: "alarm",
  subject: `Subject ${id}`,
  recipientsTo: ["rowan@example.com", "lee@example.com"],
  recipientsCc: [],
  recipientsBcc: ["inge@example.com"],
  body: `Body ${id}\n  indented`,
  sentSuccess: true,
  sentFailedReason: null,
  ...changed,
});
const messages = [
  message(4),
  message(3, { sentSuccess: false }),
  message(2, { sentSuccess: false, sentFailedReason: "550 no such user" }),
  message(1, { sentFailedReason: "lee@example.com: 550" }),
];

async function open(answer: () => unknown, props: Partial<Parameters<typeof Notifications>[0]> = {}) {
  const api = fakeApi({ "GET /notifications": answer });
  const [onFrom, onSelect] = [vi.fn(), vi.fn()];
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const element = (more: typeof props = {}) => (
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <ApiContext value={api.call}>
          <Notifications from={1} upTo="" selected="" onFrom={onFrom} onSelect={onSelect} {...props} {...more} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>
  );
  const screen = await render(element());
  return { api, onFrom, onSelect, queries, screen, show: (more: typeof props) => screen.rerender(element(more)) };
}
const page = (notifications: Notification[], total: number) => ({ notifications, from: 1, count: 10, total, newest: 77 });
const entries = () =>
  [...document.querySelectorAll(".notification-entry")].map((entry) => [
    entry.getAttribute("aria-current"),
    entry.querySelector("b")?.textContent,
    entry.lastElementChild?.className,
    entry.lastElementChild?.textContent,
  ]);

test("FEE-01 each notification says whether it was sent; the chosen one is shown whole, else the first", async () => {
  const { screen, api, onFrom, onSelect, show } = await open(() => page(messages, 24));
  const detail = screen.getByRole("region", { name: "Notification", exact: true });
  await expect.element(detail.getByRole("heading", { name: "Subject 4" })).toBeVisible();
  expect(entries()).toEqual([
    ["true", "Subject 4", "dim tabular", expect.stringMatching(/^2026-09-21 14:13:24 UTC \(.+\)$/)],
    ["false", "Subject 3", "dim", "Waiting to be sent"],
    ["false", "Subject 2", "bad", "Notification not sent (550 no such user)"],
    ["false", "Subject 1", "dim tabular", expect.stringMatching(/^2026-09-21 14:13:21 UTC/)],
  ]);
  const facts = () => [...detail.element().querySelectorAll("dl > div")].map(({ textContent }) => textContent);
  expect(facts()).toEqual(["Torowan@example.com, lee@example.com", "Cc–", "Bccinge@example.com", "Sent2026-09-21 14:13:24 UTC"]);
  expect(detail.element().querySelector("pre")?.textContent).toBe("Body 4\n  indented");
  expect(detail.element().querySelector(".notice")).toBeNull();
  await screen.getByRole("button", { name: /^Subject 2/ }).click();
  expect(onSelect.mock.calls).toEqual([["2"]]);
  await show({ selected: "2" });
  await expect.element(detail.getByRole("alert")).toHaveTextContent("Notification not sent (550 no such user)");
  expect(facts()[3]).toBe("Written2026-09-21 14:13:22 UTC");
  await show({ selected: "3" });
  await expect.element(detail.getByRole("status")).toHaveTextContent("Waiting to be sent");
  await show({ selected: "1" });
  await expect.element(detail.getByRole("alert")).toHaveTextContent("Not sent to everyone (lee@example.com: 550)");
  await screen.getByRole("button", { name: "Next" }).click();
  expect(onFrom.mock.calls).toEqual([[11, "77"]]);
  await show({ from: 11, upTo: "77", selected: "99" });
  await expect.element(screen.getByText("11–20 of 24")).toBeVisible();
  await expect.element(detail.getByRole("heading", { name: "Subject 4" })).toBeVisible();
  expect(api.asked.map(({ input }) => input["query"])).toEqual([
    { from: "1", count: "10" },
    { from: "11", count: "10", upTo: "77" },
  ]);
});

test("no notification, none this far back, and none to be had are three sentences; what was shown stays", async () => {
  let answer: () => unknown = () => page([], 0);
  const { screen, queries } = await open(() => answer());
  await expect.element(screen.getByText("No notification was sent yet")).toBeVisible();
  answer = () => page([], 3);
  await queries.refetchQueries();
  await expect.element(screen.getByText("There is nothing this far back")).toBeVisible();
  await expect.element(screen.getByText("No notification was sent yet")).not.toBeInTheDocument();
  answer = () => page(messages, 4);
  await queries.refetchQueries();
  await expect.poll(entries).toHaveLength(4);
  answer = () => {
    throw new ApiError(503, "AWAY", "The database is away.");
  };
  await queries.refetchQueries();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("The database is away. Last updated just now.Try again");
  expect(entries()).toHaveLength(4);
  await screen.unmount();
  const again = await open(() => answer());
  await expect.element(again.screen.getByText("This could not be loaded")).toBeVisible();
  answer = () => page(messages, 4);
  await again.screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(again.screen.getByText("1–4 of 4")).toBeVisible();
});
