import type { Batch, BatchNode } from "@busbar/contract/telemetry/config-batches.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { BatchScreen } from "./batch-screen.tsx";
import { addressOf, readNumbers } from "#lib/number-runs.ts";
import { NewBatchScreen } from "./new-batch-screen.tsx";

const noNodes = { unread: 0, left: 0, waiting: 0, sending: 0, confirmed: 0, refused: 0, unknown: 0, dropped: 0 };
const ready: Batch = {
  id: 12,
  kind: "change",
  sourceId: null,
  state: "ready",
  madeBy: "pat",
  madeTimestamp: 1_780_000_000,
  keys: ["v_noise"],
  values: [{ key: "v_noise", value: "6" }],
  nodeCount: 3,
  counts: { ...noNodes, waiting: 2, left: 1 },
  readTimestamp: 1_780_000_010,
  hash: "a".repeat(64),
  startedBy: "",
  startedTimestamp: null,
  startLocal: "",
  atOnce: 20,
  perMinute: null,
  firstWave: 3,
  stopPercent: 10,
  stopReason: "",
  endedTimestamp: null,
};
const started: Batch = { ...ready, state: "running", startedBy: "pat", startedTimestamp: 1_780_000_020 };
const nodeOf = (serialNumber: string, part: Partial<BatchNode> = {}): BatchNode => ({
  serialNumber,
  locationName: `Pump ${serialNumber}`,
  timezone: "UTC",
  state: "waiting",
  reason: "",
  changes: [{ key: "v_noise", oldValue: "5", newValue: "6" }],
  confirmedCount: 0,
  settledTimestamp: null,
  ...part,
});
const nodes = [nodeOf("10101"), nodeOf("10102"), nodeOf("10103", { state: "left", reason: "Node 10103 is not connected" })];

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
  return {
    ...shown,
    ...api,
    bodies: (name: string) => api.asked.filter(({ endpoint }) => endpoint === name).map(({ input }) => input["body"]),
  };
}
const showBatch = async (batch: Batch, answers: Parameters<typeof fakeApi>[0] = {}, rows = nodes) => {
  const onMade = vi.fn();
  let current = batch;
  const shown = await show(<BatchScreen id="12" self="pat" onMade={onMade} />, {
    "GET /batches/{id}": () => current,
    "GET /batches/{id}/nodes": () => rows,
    ...answers,
  });
  return { ...shown, onMade, become: (next: Batch) => (current = next) };
};

test("CFG-06 who and what: a value that no node may have is refused, the dry run has exactly what was chosen", async () => {
  const onMade = vi.fn();
  const { getByLabelText, getByRole, getByText, bodies } = await show(
    <NewBatchScreen serials={["10101", "10102"]} wrong={["abc"]} onMade={onMade} />,
    {
      "POST /batches": () => ready,
    },
  );
  await expect.element(getByText("No serial numbers, and left out: abc.")).toBeVisible();
  await getByRole("button", { name: "Dry run" }).click();
  await expect.element(getByText("Choose a parameter")).toBeVisible();
  await getByLabelText(/^Parameter/)
    .first()
    .fill("v_noi");
  await getByRole("option", { name: /^v_noise/ }).click();
  await expect.element(getByLabelText(/^New value/)).toHaveFocus();
  await userEvent.keyboard("201{Enter}");
  await expect.element(getByText("v_noise must be a number from 0 to 200 V")).toBeVisible();
  expect(bodies("POST /batches")).toEqual([]);
  await getByLabelText(/^New value/).fill("6");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => onMade.mock.calls).toEqual([[12]]);
  expect(bodies("POST /batches")).toEqual([{ serialNumbers: ["10101", "10102"], values: [{ key: "v_noise", value: "6" }] }]);
});

test("COM-08 a start in places of several zones means the clocks of each, and one that is past anywhere is refused", async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 24, 12), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const waiting = (serialNumber: string, timezone: string) => nodeOf(serialNumber, { state: "waiting", timezone });
  const { getByLabelText, getByText } = await showBatch(ready, {}, [
    waiting("10101", "America/Denver"),
    waiting("10102", "Europe/Berlin"),
    nodeOf("10103", { state: "left", timezone: "Pacific/Auckland" }),
  ]);
  await expect.element(getByText("By the clocks of each place")).toBeVisible();
  // Only there it is past; where nothing is changed, no one minds.
  await getByLabelText("Not before, time of each place").fill("2026-11-24 12:59");
  await expect.element(getByText("This time is past at Europe/Berlin")).toBeVisible();
  await getByLabelText("Not before, time of each place").fill("2026-11-24 13:01");
  await expect.element(getByText("This time is past at Europe/Berlin")).not.toBeInTheDocument();
});

test("U-14 a reason is whole on a narrow screen", async () => {
  const reason =
    "v_noise must be a number from 0 to 200 V, and a node of this type takes no more than the voltage of its transformer allows";
  const { getByText } = await showBatch(ready, {}, [nodeOf("10103", { state: "left", reason })]);
  await page.viewport(390, 844);
  const shown = getByText(reason);
  await expect.element(shown).toBeVisible();
  // Drawn wide first, it is an item a moment later.
  await expect.poll(() => shown.element().closest("li")).not.toBeNull();
  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = shown.element();
  expect([scrollWidth, scrollHeight]).toEqual([clientWidth, clientHeight]);
  expect(shown.element().closest("li")!.getBoundingClientRect().bottom).toBeGreaterThanOrEqual(
    shown.element().getBoundingClientRect().bottom,
  );
});

test("CFG-06 the dry run says who is left out and why; the code goes with its hash and pace, and is entered again when it was wrong", async () => {
  let isRight = false;
  const { getByLabelText, getByRole, getByText, bodies, become } = await showBatch(ready, {
    "POST /batches/{id}/start": () => {
      if (!isRight) throw new ApiError(403, "PASSCODE_REFUSED", "The 2FA code is not right");
      return become(started);
    },
  });
  await expect.element(getByText("Node 10103 is not connected")).toBeVisible();
  await expect.element(getByRole("row", { name: /10101/ })).toHaveTextContent("10101Pump 101015 → 6To be changed");
  const code = getByLabelText("2FA PASSCODE");
  await expect.element(code).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(getByText("Missing 2FA Passcode")).toBeVisible();
  await getByLabelText("First wave, nodes").fill("0");
  await expect.element(getByText("A whole number from 1 to 2000")).toBeVisible();
  await getByLabelText("First wave, nodes").fill("1");
  await code.fill("000000");
  await expect.element(getByText("Missing 2FA Passcode")).not.toBeInTheDocument();
  const time = getByLabelText("Not before, time of each place");
  const past = getByText("This time is past at UTC");
  await expect.element(getByText("Time zone UTC")).toBeVisible();
  await time.fill("2026-13-40T02");
  await expect.element(getByText("Write it as yyyy-mm-dd hh:mm")).toBeVisible();
  await time.fill("2059-01-01 02:30");
  await expect.element(getByText("You entered 2059-01-01 02:30:00 UTC")).toBeVisible();
  await time.fill("2026-01-01 02:30");
  await expect.element(past).toBeVisible();
  await userEvent.keyboard("{Enter}");
  await expect.element(past).toBeVisible();
  expect(bodies("POST /batches/{id}/start")).toEqual([]);
  await time.fill("");
  await expect.element(past).not.toBeInTheDocument();
  await getByRole("button", { name: "Change 2 nodes" }).click();
  await expect.element(getByText("The 2FA code is not right")).toBeVisible();
  await expect.element(code).toHaveValue("");
  await expect.element(code).toHaveFocus();
  isRight = true;
  await code.fill("123456");
  await userEvent.keyboard("{Enter}");
  await expect.element(getByRole("button", { name: "Pause" })).toBeVisible();
  await expect.element(getByText(/^Started by pat, 2026-05-28 20:27:00 UTC\. First 3 nodes/)).toBeVisible();
  expect(bodies("POST /batches/{id}/start").at(-1)).toEqual({
    hash: ready.hash,
    code: "123456",
    atOnce: 20,
    perMinute: null,
    firstWave: 1,
    stopPercent: 10,
    startLocal: "",
  });
});

test("SEC-03 a roll-out that has stopped says why and is resumed with a passcode; one that has ended is tried again and put back", async () => {
  const rows = [nodeOf("10101", { state: "confirmed" }), nodeOf("10102", { state: "unknown", reason: "The node did not answer" })];
  const stopped: Batch = {
    ...started,
    state: "stopped",
    stopReason: "1 of the last 2 nodes failed",
    counts: { ...noNodes, confirmed: 1, unknown: 1, left: 1 },
  };
  let isRight = false;
  const { getByLabelText, getByRole, getByText, bodies, become, onMade } = await showBatch(
    stopped,
    {
      "PATCH /batches/{id}": () => {
        if (!isRight) throw new ApiError(403, "PASSCODE_REFUSED", "The 2FA code is not right");
        return become({ ...stopped, state: "done" });
      },
      "POST /batches/{id}/next": () => ({ ...ready, id: 13 }),
    },
    rows,
  );
  await expect.element(getByText(/1 of the last 2 nodes failed/)).toBeVisible();
  await expect.element(getByText(/^1 of 2 nodes confirmed, 1 unknown\./)).toBeVisible();
  await getByRole("button", { name: "Failed 1" }).click();
  expect(getByRole("link", { name: "10101" }).elements()).toEqual([]);
  await getByRole("button", { name: "Cancel" }).click();
  await getByRole("button", { name: "Keep the batch" }).click();
  await getByRole("button", { name: "Resume" }).click();
  await expect.element(getByText("Missing 2FA Passcode")).toBeVisible();
  const code = getByLabelText("2FA PASSCODE");
  await code.fill("111111");
  await expect.element(getByText("Missing 2FA Passcode")).not.toBeInTheDocument();
  await userEvent.keyboard("{Enter}");
  await expect.element(getByText("The 2FA code is not right")).toBeVisible();
  // A code is used once.
  await expect.element(code).toHaveValue("");
  isRight = true;
  await code.fill("123456");
  await userEvent.keyboard("{Enter}");
  await getByRole("button", { name: "Put back" }).click();
  await getByRole("button", { name: "Retry what was not changed" }).click();
  await expect.poll(() => onMade.mock.calls).toEqual([[13], [13]]);
  expect([bodies("PATCH /batches/{id}"), bodies("POST /batches/{id}/next")]).toEqual([
    ["111111", "123456"].map((each) => ({ order: "resume", hash: ready.hash, code: each })),
    [{ kind: "putBack" }, { kind: "retry" }],
  ]);
});

test("CFG-06 serial numbers of an address: those that follow each other as one, and nothing that is none", () => {
  const serials = ["10103", "10101", "10102", "10205"];
  expect(addressOf(serials)).toBe("10101-10103.10205");
  expect(readNumbers("10101-10103.10205")).toEqual({ numbers: serials.toSorted(), wrong: [] });
  const wrong = ["x", "1-99999", "10105-10101", "012345"];
  expect(readNumbers(`10101.${wrong.join(".")}`)).toEqual({ numbers: ["10101"], wrong });
  // Of any size, but none that would fill the memory.
  expect(readNumbers("1-3.1-900000000", /^\d+$/)).toEqual({ numbers: ["1", "2", "3"], wrong: ["1-900000000"] });
  expect(readNumbers("")).toEqual({ numbers: [], wrong: [] });
});

const ended = (counts: Partial<Batch["counts"]>) => ({ state: "done" as const, counts: { ...noNodes, ...counts } });

test.each<[string, Partial<Batch>, string[]]>([
  ["under way", {}, ["Pause", "Cancel"]],
  ["paused by whoever started it", { state: "paused" }, ["Resume", "Cancel"]],
  ["paused by whoever started it not", { state: "paused", startedBy: "kim" }, ["a passcode", "Resume", "Cancel"]],
  ["stopped by itself", { state: "stopped" }, ["a passcode", "Resume", "Cancel"]],
  ["changed everywhere", ended({ confirmed: 3 }), ["Put back"]],
  ["changed where it could be", ended({ confirmed: 2, left: 1 }), ["Retry what was not changed", "Put back"]],
  ["changed no one knows where", ended({ unknown: 1, refused: 2 }), ["Retry what was not changed", "Put back"]],
  ["changed nowhere", ended({ refused: 1, left: 2 }), ["Retry what was not changed"]],
  ["cancelled in time", { ...ended({ dropped: 3 }), state: "cancelled" }, ["Retry what was not changed"]],
])("CFG-06 what can be done with a batch that is %s", async (_what, part, offered) => {
  const { getByRole, bodies } = await showBatch({ ...started, ...part }, { "PATCH /batches/{id}": () => started });
  const progress = getByRole("region", { name: "Progress" });
  await expect.element(progress).toBeVisible();
  const parts = [...progress.element().querySelectorAll("button, input")];
  expect(parts.map((each) => (each instanceof HTMLInputElement ? "a passcode" : each.textContent))).toEqual(offered);
  if (part.state !== undefined) return;
  await progress.getByRole("button", { name: "Pause" }).click();
  await expect.poll(() => bodies("PATCH /batches/{id}")).toEqual([{ order: "pause" }]);
  await progress.getByRole("button", { name: "Cancel" }).click();
  await getByRole("dialog").getByRole("button", { name: "Cancel the batch" }).click();
  await expect.poll(() => bodies("PATCH /batches/{id}")).toEqual([{ order: "pause" }, { order: "cancel" }]);
});
