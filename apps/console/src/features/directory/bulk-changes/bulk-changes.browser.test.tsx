import type { BulkChange, BulkPlanRow } from "@busbar/contract/directory/bulk-changes.ts";
import { getUsers } from "@busbar/contract/access/users.ts";
import { getNodes } from "@busbar/contract/directory/nodes.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { sampleUser } from "#features/access/users/users.fixture.ts";
import { ApiContext } from "#api/api-context.ts";
import { useApiQuery } from "#api/use-api-query.ts";
import { customerOf, facilityOf, locationOf } from "#features/directory/customers/customers.fixture.ts";
import { ApiError } from "#lib/api-error.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { BulkScreen } from "./bulk-screen.tsx";
import { NewBulkScreen } from "./new-bulk-screen.tsx";

const rowOf = (name: string, part: Partial<BulkPlanRow> = {}): BulkPlanRow => ({
  object: `node/${name}`,
  name,
  place: `Pump ${name}`,
  timezone: "UTC",
  changes: [{ field: "dataPointInterval", label: "Datapoint Interval", before: 900, after: 60 }],
  reason: "",
  digest: `digest-of-${name}`.padEnd(22, "x"),
  ...part,
});
const rows = [rowOf("10101"), rowOf("10102"), rowOf("10103", { changes: [], reason: "The same already" })];
const digests = rows.map(({ digest }) => digest);

async function show(screen: ReactNode, answers: Parameters<typeof fakeApi>[0]) {
  await page.viewport(1440, 900);
  const api = fakeApi(answers);
  const shown = await render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>{screen}</ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { ...shown, bodies: (name: string) => api.asked.filter(({ endpoint }) => endpoint === name).map(({ input }) => input["body"]) };
}

test("fields of many: what no node may have is refused, the dry run says old and new values and who is left out, and exactly this is done", async () => {
  const onDone = vi.fn();
  let isStale = true;
  const { getByRole, getByText, getByLabelText, bodies } = await show(
    <NewBulkScreen kind="nodes" chosen={["10101", "10102", "10103"]} wrong={["abc"]} configureHref="#/batches/new" onDone={onDone} />,
    {
      "POST /bulk-changes/plan": () => ({ kind: "nodes", rows }),
      "POST /bulk-changes": () => {
        if (isStale)
          throw new ApiError(
            409,
            "CONFLICT",
            "This is not what was shown: 10101 (last changed by kim). Nothing was changed; look at it again",
          );
        return { id: 7, changed: 2 };
      },
    },
  );
  await expect.element(getByText("Not understood, and left out: abc.")).toBeVisible();
  await getByRole("button", { name: "Dry run" }).click();
  await expect.element(getByText("Choose one")).toBeVisible();
  await getByRole("combobox", { name: "Field" }).fill("interval");
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await expect.element(getByLabelText("New value")).toHaveFocus();
  await userEvent.keyboard("0{Enter}");
  await expect.element(getByText("Data point interval is from 1 to 9999")).toBeVisible();
  expect(bodies("POST /bulk-changes/plan")).toEqual([]);
  await getByLabelText("New value").fill("60");
  await userEvent.keyboard("{Enter}");
  const order = { nodes: { serialNumbers: ["10101", "10102", "10103"], values: { dataPointInterval: 60 } } };
  await expect.element(getByText("2 nodes would be changed, 1 left out")).toBeVisible();
  expect(bodies("POST /bulk-changes/plan")).toEqual([order]);
  await expect.element(getByRole("row", { name: /10101 Pump 10101 Datapoint Interval: 900 → 60/ })).toBeVisible();
  await getByRole("button", { name: "Left out 1" }).click();
  await expect.element(getByRole("row", { name: /10103 .* The same already/ })).toBeVisible();
  await expect.element(getByText("Pump 10101")).not.toBeInTheDocument();

  await getByRole("button", { name: "Change 2 nodes" }).click();
  await expect.element(getByText(/last changed by kim/)).toBeVisible();
  isStale = false;
  await getByRole("button", { name: "Look again" }).click();
  await getByRole("button", { name: "Change 2 nodes" }).click();
  await expect.poll(() => onDone.mock.calls).toEqual([[7]]);
  expect(bodies("POST /bulk-changes").at(-1)).toEqual({ ...order, digests });
});

test("what was entered while a dry run was under way is not answered by it", async () => {
  const answer = Promise.withResolvers<void>();
  const { getByRole, getByText, getByLabelText, bodies } = await show(
    <NewBulkScreen kind="nodes" chosen={["10101"]} wrong={[]} configureHref="#/batches/new" onDone={vi.fn()} />,
    {
      "POST /bulk-changes/plan": async () => {
        await answer.promise;
        return { kind: "nodes", rows: rows.slice(0, 1) };
      },
    },
  );
  await getByRole("combobox", { name: "Field" }).fill("interval");
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await getByLabelText("New value").fill("60");
  await userEvent.keyboard("{Enter}");
  await expect.element(getByText("Looking at 1 node...")).toBeVisible();
  await getByLabelText("New value").fill("90");
  answer.resolve();
  await expect.element(getByText("Looking at 1 node...")).not.toBeInTheDocument();
  await expect.element(getByRole("button", { name: "Change 1 node" })).not.toBeInTheDocument();
  await getByRole("button", { name: "Dry run" }).click();
  await expect.element(getByRole("button", { name: "Change 1 node" })).toBeVisible();
  expect(bodies("POST /bulk-changes/plan")).toMatchObject(
    [60, 90].map((dataPointInterval) => ({ nodes: { values: { dataPointInterval } } })),
  );
});

test("another value asks for another dry run; a field is chosen once", async () => {
  const { getByRole, getByText, getByLabelText } = await show(
    <NewBulkScreen kind="nodes" chosen={["10101"]} wrong={[]} configureHref="#/batches/new" onDone={vi.fn()} />,
    { "POST /bulk-changes/plan": () => ({ kind: "nodes", rows: rows.slice(2) }) },
  );
  await getByRole("combobox", { name: "Field" }).fill("disable");
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await getByLabelText("New value").selectOptions("No");
  await getByRole("button", { name: "Dry run" }).click();
  await expect.element(getByText("Nothing would be changed, 1 left out")).toBeVisible();
  await expect.element(getByRole("button", { name: "Change 0 nodes" })).toBeDisabled();
  await getByLabelText("New value").selectOptions("Yes");
  await expect.element(getByText("Nothing would be changed, 1 left out")).not.toBeInTheDocument();
  await getByRole("button", { name: "Another field" }).click();
  await getByRole("combobox", { name: "Field" }).nth(1).fill("disable");
  await expect.element(getByRole("option", { name: "Disable Monitoring" })).toHaveAttribute("data-combobox-disabled", "true");
});

test("Deployed takes a reason for nodes without a wiring verdict; no other status does", async () => {
  const { getByRole, getByText, getByLabelText, bodies } = await show(
    <NewBulkScreen kind="nodes" chosen={["10101"]} wrong={[]} configureHref="#/batches/new" onDone={vi.fn()} />,
    { "POST /bulk-changes/plan": () => ({ kind: "nodes", rows: rows.slice(2) }) },
  );
  await getByRole("combobox", { name: "Field" }).fill("deployment status");
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await getByLabelText("New value").selectOptions("Deployed");
  const reason = getByLabelText("Reason without wiring verdict");
  await reason.fill("x".repeat(501));
  await getByRole("button", { name: "Dry run" }).click();
  await expect.element(getByText("Reason has at most 500 characters")).toBeVisible();
  expect(bodies("POST /bulk-changes/plan")).toEqual([]);
  await reason.fill("The machine runs in spring ");
  await getByRole("button", { name: "Dry run" }).click();
  await expect.element(getByText("Nothing would be changed, 1 left out")).toBeVisible();
  await reason.fill("");
  await expect.element(getByText("Nothing would be changed, 1 left out")).not.toBeInTheDocument();
  await getByRole("button", { name: "Dry run" }).click();
  await expect.element(getByText("Nothing would be changed, 1 left out")).toBeVisible();
  await reason.fill("Never sent");
  await getByLabelText("New value").selectOptions("Pre-Deployment");
  await expect.element(reason).not.toBeInTheDocument();
  await getByRole("button", { name: "Dry run" }).click();
  await expect.element(getByText("Nothing would be changed, 1 left out")).toBeVisible();
  const nodes = (newDeploymentStatus: string) => ({ serialNumbers: ["10101"], values: { newDeploymentStatus } });
  expect(bodies("POST /bulk-changes/plan")).toEqual([
    { nodes: { ...nodes("Deployed"), wiringReason: "The machine runs in spring" } },
    { nodes: nodes("Deployed") },
    { nodes: nodes("Pre-Deployment") },
  ]);
});

test("a change that was done is put back as one, by a dry run of its own", async () => {
  const onUndone = vi.fn();
  const since = { field: "newDeploymentStatusUpdateTimestamp", label: "Status Since", before: null, after: 1_790_000_000 };
  const change: BulkChange = {
    id: 7,
    kind: "nodes",
    undoes: null,
    undoneBy: [6],
    madeBy: "pat",
    madeTimestamp: 1_780_000_000,
    objects: [rows[0]!, rowOf("10102", { timezone: "America/Chicago", changes: [since] })],
  };
  const back = [
    rowOf("10101", { changes: [{ field: "dataPointInterval", label: "Datapoint Interval", before: 60, after: 900 }] }),
    rowOf("10102", { changes: [], reason: "Changed since: Datapoint Interval" }),
  ];
  const { getByRole, getByText, bodies } = await show(<BulkScreen id="7" onUndone={onUndone} />, {
    "GET /bulk-changes/{id}": () => change,
    "POST /bulk-changes/plan": () => ({ kind: "nodes", rows: back }),
    "POST /bulk-changes": () => ({ id: 8, changed: 1 }),
  });
  await expect.element(getByText(/^2 nodes changed by pat/)).toBeVisible();
  const row = getByRole("row", { name: /10102 Pump 10102 Status Since: \(none\) → 2026-09-21 09:13:20 CDT/ });
  await expect.element(row).toBeVisible();
  await expect.element(getByRole("link", { name: "bulk change 6" })).toHaveAttribute("href", "#/bulk/6");
  await getByRole("button", { name: "Put back…" }).click();
  await expect.element(getByRole("row", { name: /10102 .* Changed since: Datapoint Interval/ })).toBeVisible();
  await getByRole("button", { name: "Put back 1 node" }).click();
  await expect.poll(() => onUndone.mock.calls).toEqual([[8]]);
  expect(bodies("POST /bulk-changes")).toEqual([{ undo: 7, digests: back.map(({ digest }) => digest) }]);
});

test.each([
  [
    "locations",
    { "GET /nodes": () => nodesAt, "GET /customers": () => [alder], "GET /system/config/{name}": () => [] },
    "Fan 2, Location 99, Pump 3 and 1 more",
    ["Fan 2 Alder / Works", "Location 99", "Pump 3 Alder / Works", "Pump 10 Alder / Works"],
    "#/customers?filterText=Fan%202",
  ],
  [
    "subscriptions",
    {
      "GET /users": () => [
        sampleUser(2, { username: "pat", customerCode: "works" }),
        sampleUser(10, { username: "kim", customerCode: "works" }),
      ],
      "GET /facilities": () => [],
    },
    "kim, pat, User 3 and 1 more",
    ["kim works", "pat works", "User 3", "User 99"],
    "#/users/10",
  ],
] as const)("who is chosen among %s is named before the dry run", async (kind, answers, line, all, first) => {
  const { getByText, getByRole } = await show(
    <NewBulkScreen kind={kind} chosen={["10", "2", "3", "99"]} wrong={[]} onDone={vi.fn()} />,
    answers,
  );
  await getByText(line).click();
  const items = getByRole("listitem");
  await expect.element(items.nth(3)).toBeVisible();
  expect(items.elements().map(({ textContent }) => textContent?.trim())).toEqual(all);
  await expect.element(getByRole("link").first()).toHaveAttribute("href", first);
});

test.each([
  ["locations", getNodes, "Fan 2", "Alder / Works"],
  ["subscriptions", getUsers, "pat", "works"],
] as const)(
  "who comes from the list of %s finds them named, and the list is whole again afterwards",
  async (kind, endpoint, name, place) => {
    const { getByRole, getByText } = await show(<ListAndChoice kind={kind} endpoint={endpoint} />, {
      "GET /nodes": () => [nodeAt(2, "Fan 2")],
      "GET /users": () => [sampleUser(2, { username: "pat", customerCode: "works" })],
      "GET /facilities": () => [],
      "GET /system/config/{name}": () => [],
    });
    await expect.element(getByText("1 listed")).toBeVisible();
    await getByRole("button", { name: "Choose" }).click();
    await getByText(name, { exact: true }).first().click();
    await expect.element(getByRole("listitem")).toHaveTextContent(`${name} ${place}`);
    await getByRole("button", { name: "List" }).click();
    await expect.element(getByText("1 listed")).toBeVisible();
  },
);
function ListAndChoice({ kind, endpoint }: { kind: "locations" | "subscriptions"; endpoint: typeof getNodes | typeof getUsers }) {
  const [isChosen, setIsChosen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsChosen(!isChosen)}>
        {isChosen ? "List" : "Choose"}
      </button>
      {isChosen ? <NewBulkScreen kind={kind} chosen={["2"]} wrong={[]} onDone={vi.fn()} /> : <Listed endpoint={endpoint} />}
    </>
  );
}
function Listed({ endpoint }: { endpoint: typeof getNodes | typeof getUsers }) {
  const { data = [] } = useApiQuery(endpoint as typeof getUsers, {});
  return <p>{data.length} listed</p>;
}

const alder = customerOf(1, "alder", "Alder", [
  facilityOf(1, "Works", [locationOf(2, "Fan 2"), locationOf(3, "Pump 3"), locationOf(10, "Pump 10")]),
]);
const nodeAt = (locationId: number | null, locationName: string) => ({
  locationId,
  locationName,
  facilityName: "Works",
  customerName: "Alder",
});
const nodesAt = [nodeAt(10, "Pump 10"), nodeAt(2, "Fan 2"), nodeAt(null, "Nowhere")];

test("on a phone a change of two lines has the room of two, and no more", async () => {
  const onDone = vi.fn();
  const text = "The gateway of this hall is replaced in the second week of the month, and everything behind it is away meanwhile";
  const change = {
    field: "pauseConnectivityNotificationsReason",
    label: "Pause Connectivity Notifications Reason",
    before: "",
    after: text,
  };
  const long = rows.map((row) => ({ ...row, reason: "", changes: [change] }));
  const { getByRole, getByLabelText, getByText } = await show(
    <NewBulkScreen kind="nodes" chosen={["10101"]} wrong={[]} configureHref="#/batches/new" onDone={onDone} />,
    { "POST /bulk-changes/plan": () => ({ kind: "nodes", rows: long }) },
  );
  await getByRole("combobox", { name: "Field" }).fill("interval");
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await getByLabelText("New value").fill("60");
  await page.viewport(390, 844);
  await userEvent.keyboard("{Enter}");
  await expect.element(getByText("3 nodes would be changed", { exact: true })).toBeVisible();
  await expect.poll(() => document.querySelectorAll(".bulk-two-lines").length).toBe(3);
  const boxes = [...document.querySelectorAll(".bulk-two-lines")].map((line) => ({
    line: line.getBoundingClientRect(),
    card: line.closest(".list-item")!.getBoundingClientRect(),
  }));
  expect(boxes.map(({ line, card }) => [line.height, line.bottom <= card.bottom, line.right <= card.right])).toEqual(
    boxes.map(() => [38, true, true]),
  );
});
