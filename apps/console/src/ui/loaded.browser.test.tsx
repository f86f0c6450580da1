import { MantineProvider } from "@mantine/core";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiError } from "#lib/api-error.ts";
import { Loaded, bothOf, type Asked, type LoadedProps } from "./loaded.tsx";

const away = new ApiError(503, "UNAVAILABLE", "The database is away");
const asked = (answer: Partial<Asked<string>>): Asked<string> => ({
  data: undefined,
  error: null,
  dataUpdatedAt: Date.now(),
  refetch: () => undefined,
  ...answer,
});
const show = (of: Asked<string>, props: Partial<LoadedProps<string>> = {}) =>
  render(
    <MantineProvider>
      <Loaded of={of} loading={<p>Loading the pump</p>} {...props}>
        {(pump) => <p>The pump is {pump}</p>}
      </Loaded>
    </MantineProvider>,
  );
const missing = { what: "pump: it ends with a number", others: <a href="#/pumps">All pumps</a> };

test("what is asked for is loading, then there", async () => {
  const loading = await show(asked({}));
  await expect.element(loading.getByText("Loading the pump")).toBeVisible();
  await loading.unmount();
  const there = await show(asked({ data: "on" }));
  await expect.element(there.getByText("The pump is on")).toBeVisible();
  await expect.element(there.getByText("Loading the pump")).not.toBeInTheDocument();
  await expect.element(there.getByRole("alert")).not.toBeInTheDocument();
});

test("an empty answer is an answer", async () => {
  const screen = await show(asked({ data: "" }));
  await expect.element(screen.getByText("The pump is")).toBeVisible();
  await expect.element(screen.getByText("Loading the pump")).not.toBeInTheDocument();
});

test("a failure is said, with a press that asks again, and nothing of the shapes", async () => {
  const refetch = vi.fn<() => void>();
  const screen = await show(asked({ error: away, refetch }), { missing });
  await expect.element(screen.getByRole("alert").getByText("The database is away")).toBeVisible();
  await expect.element(screen.getByText("Loading the pump")).not.toBeInTheDocument();
  await expect.element(screen.getByRole("link", { name: "All pumps" })).not.toBeInTheDocument();
  await screen.getByRole("button", { name: "Try again" }).click();
  expect(refetch).toHaveBeenCalledOnce();
});

test("what is there stays when it cannot be had again, marked as old", async () => {
  const refetch = vi.fn<() => void>();
  const screen = await show(asked({ data: "on", error: away, refetch }), { staleWords: "What is done here is kept." });
  await expect.element(screen.getByText("The pump is on")).toBeVisible();
  const words = /^The database is away Last updated .+\. What is done here is kept\.Try again$/;
  expect(screen.getByRole("alert").element().textContent).toMatch(words);
  await screen.getByRole("button", { name: "Try again" }).click();
  expect(refetch).toHaveBeenCalledOnce();
});

test.each([
  [404, "Pump 9 was not found", missing, "Pump 9 was not found"],
  [400, "id: pattern", missing, "This address names no pump: it ends with a number."],
  [400, "A pump has a number", { others: missing.others }, "A pump has a number"],
])("an address that names none, by status %d, says so and leads to the others", async (status, message, named, words) => {
  const screen = await show(asked({ error: new ApiError(status, "", message) }), { missing: named });
  await expect.element(screen.getByText(words, { exact: true })).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "All pumps" })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Try again" })).not.toBeInTheDocument();
});

test("without an address that names it a refusal is a failure, and what is not there is not asked for again", async () => {
  const refused = await show(asked({ error: new ApiError(400, "", "A pump has a number") }));
  await expect.element(refused.getByRole("alert").getByText("A pump has a number")).toBeVisible();
  await expect.element(refused.getByRole("button", { name: "Try again" })).toBeVisible();
  await refused.unmount();
  const gone = await show(asked({ error: new ApiError(404, "NOT_FOUND", "Pump 9 was not found") }));
  await expect.element(gone.getByText("Pump 9 was not found")).toBeVisible();
  await expect.element(gone.getByRole("button", { name: "Try again" })).not.toBeInTheDocument();
});

test("two answers are there when both are, fail when one fails, and are asked for again together", () => {
  const refetch = vi.fn<() => void>();
  const one = asked({ data: "on", dataUpdatedAt: 20, refetch });
  expect(bothOf(one, asked({})).data).toBeUndefined();
  expect(bothOf(asked({}), one).data).toBeUndefined();
  expect(bothOf(one, asked({ error: away })).error).toBe(away);
  expect(bothOf(asked({ error: away }), one).error).toBe(away);
  const both = bothOf(one, asked({ data: "", dataUpdatedAt: 10, refetch }));
  expect(both.data).toEqual(["on", ""]);
  expect(both.dataUpdatedAt).toBe(10);
  both.refetch();
  expect(refetch).toHaveBeenCalledTimes(2);
});
