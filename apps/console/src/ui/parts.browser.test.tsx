import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiError } from "#lib/api-error.ts";
import { listWalk } from "#lib/list-walk.ts";
import { ChosenRows } from "./chosen-rows.tsx";
import type { Column } from "./column.ts";
import { CopyButton } from "./copy-button.tsx";
import { DateTimeField } from "./date-time-field.tsx";
import { DayFields } from "./day-fields.tsx";
import { Expander } from "./expander.tsx";
import { FormLine } from "./form-line.tsx";
import { ListCount } from "./list-count.tsx";
import { LongTable, narrowHeight } from "./long-table.tsx";
import { NewestTable } from "./newest-rows.tsx";
import { NodeRange } from "./node-range.tsx";
import { Pager } from "./pager.tsx";
import { PutBack, usePutBack } from "./put-back.tsx";
import { RawText } from "./raw-text.tsx";
import { SaveCsv } from "./save-csv.tsx";
import { QrCode } from "./qr-code.tsx";
import { screenOf } from "./subject-link.tsx";
import { useFilteredRows } from "./use-filtered-rows.tsx";
import { usePageKeys } from "./use-page-keys.ts";
import { withAge } from "./verdict-words.tsx";

const shown = (children: ReactNode) => render(<MantineProvider>{children}</MantineProvider>);
const within = (children: ReactNode) => <MantineProvider>{children}</MantineProvider>;
const textOf = (selector: string) => document.querySelector(selector)?.textContent;

/** What is handed to the browser as a file. */
function keepFiles(): { name: string; content: Blob }[] {
  const files: { name: string; content: Blob }[] = [];
  const content = vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    files.push({ name: "", content: file as Blob });
    return "blob:kept";
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function press(this: HTMLAnchorElement) {
    files.at(-1)!.name = this.download;
  });
  onTestFinished(() => (content.mockRestore(), click.mockRestore()));
  return files;
}

test("FEE-03 a pager says which rows are shown, and leads to those before and after them as far as there are any", async () => {
  const onFrom = vi.fn<(from: number) => void>();
  const pager = (from: number, total: number) => within(<Pager page={{ from, count: 10, total }} onFrom={onFrom} />);
  const screen = await render(pager(1, 1_234));
  const state = () => [textOf(".tabular"), ...[...document.querySelectorAll("button")].map((button) => button.ariaDisabled)];
  expect(state()).toEqual(["1–10 of 1,234", "true", "false"]);
  await screen.rerender(pager(1_231, 1_234));
  expect(state()).toEqual(["1,231–1,234 of 1,234", "false", "true"]);
  for (const name of ["Previous", "Next"]) await screen.getByRole("button", { name }).click({ force: true });
  await screen.rerender(pager(11, 30));
  await screen.getByRole("button", { name: "Next" }).click();
  expect(onFrom.mock.calls.flat()).toEqual([1_221, 1_231, 21]);
  await screen.rerender(pager(1, 0));
  expect(state()).toEqual(["0 of 0", "true", "true"]);
});

test.each([
  ["none", [], "false", "Choose all 3"],
  ["some", ["a", "x", "y"], "mixed", "Choose all 33 nodes chosen, 2 not shownat most 2 nodes at onceChoose none"],
  ["all", ["a", "b", "c"], "true", "Choose all 33 nodes chosenat most 2 nodes at onceChoose none"],
  ["two", ["a", "b"], "mixed", "Choose all 32 nodes chosenEdit…Choose none"],
])("of the rows %s are chosen", async (_, chosen, state, words) => {
  const choose = vi.fn<(keys: readonly string[]) => void>();
  const selection = { chosen: new Set(chosen), toggle: () => undefined, choose };
  const screen = await shown(
    <p>
      <ChosenRows selection={selection} noun="node" matching={["a", "b", "c"]} most={2}>
        <button>Edit…</button>
      </ChosenRows>
    </p>,
  );
  const box = document.querySelector("input")!;
  expect(box.indeterminate ? "mixed" : String(box.checked)).toBe(state);
  expect(textOf("p")).toBe(words);
  await screen.getByRole("checkbox").click();
  expect(choose.mock.calls.flat()).toEqual([state === "true" ? [] : ["a", "b", "c"]]);
});

test("what is copied is said for a while, and what the browser refuses too", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  onTestFinished(() => write.mockRestore());
  await shown(<CopyButton text="10101" label="Copy the serial number" />);
  const button = document.querySelector("button")!;
  expect([button.title, button.tabIndex]).toEqual(["Copy the serial number", -1]);
  for (const outcome of ["copied", "refused"]) {
    button.click();
    await vi.waitFor(() => expect(button.title).toBe(outcome));
    vi.advanceTimersByTime(1_499);
    expect(button.title).toBe(outcome);
    vi.advanceTimersByTime(1);
    await vi.waitFor(() => expect(button.title).toBe("Copy the serial number"));
    write.mockRejectedValue(new Error("no"));
  }
  expect(write.mock.calls).toEqual([["10101"], ["10101"]]);
});

test("COM-08 a time is said as it was entered, or what is wrong with it; the time that is there means itself", async () => {
  const original = { timestamp: 1_793_518_200, timezone: "America/Chicago", text: "2026-11-01 01:30:00" };
  function Form() {
    const { control } = useForm({ defaultValues: { at: original.text } });
    return <DateTimeField control={control} name="at" label="At" timezone="America/Chicago" original={original} />;
  }
  const screen = await shown(<Form />);
  const said = () => [textOf("[class*=Input-description]"), textOf("[class*=Input-error]")];
  expect(said()).toEqual(["You entered 2026-11-01 07:30:00 UTC", undefined]);
  const field = screen.getByLabelText("At");
  await field.fill("2026-11-02 01:30:00");
  expect(said()).toEqual(["You entered 2026-11-02 07:30:00 UTC", undefined]);
  await field.fill("  ");
  expect(said()).toEqual(["Time zone America/Chicago", undefined]);
  await field.fill("soon");
  await expect.poll(() => said()[1]).toMatch(/\w/);
  expect(said()[0]).toBe("Time zone America/Chicago");
});

test("days are chosen each by itself, and the wrong way round is said at the second", async () => {
  const onDays = vi.fn<(part: object) => void>();
  const screen = await shown(<DayFields days={{ from: "2026-02-02", to: "2026-02-01" }} onDays={onDays} />);
  expect(document.querySelectorAll("[aria-invalid=true]")).toHaveLength(1);
  await screen.getByLabelText("From").fill("2026-02-03");
  await screen.getByLabelText("Until").fill("");
  expect(onDays.mock.calls.flat()).toEqual([{ from: "2026-02-03" }, { to: "" }]);
});

test("a section keeps what was entered in it once it was open, where it is said, and may be one that is opened from elsewhere only", async () => {
  const section = (isOpen: boolean, rest: object) =>
    within(
      <Expander title="More" isOpen={isOpen} onToggle={() => undefined} {...rest}>
        <input aria-label="Entered" />
      </Expander>,
    );
  const inputs = () => document.querySelectorAll("input").length;
  const button = () => document.querySelector("button")!;
  const screen = await render(section(false, { isKept: true, canOpen: false }));
  expect([inputs(), button().disabled, button().ariaExpanded]).toEqual([0, true, "false"]);
  await screen.rerender(section(true, { isKept: true, canOpen: false }));
  expect([inputs(), button().disabled, button().ariaExpanded]).toEqual([1, false, "true"]);
  await screen.rerender(section(false, { isKept: true }));
  expect([inputs(), button().disabled, document.querySelector<HTMLElement>(".expander-body")!.hidden]).toEqual([1, false, true]);
  await screen.rerender(section(false, {}));
  expect(inputs()).toBe(0);
});

test("how many are shown is said once typing has settled; all are shown again, and saved when there are any", async () => {
  const pressed = vi.fn<(what: string) => void>();
  const count = (shownCount: number, isFiltered: boolean) =>
    within(
      <ListCount
        shown={shownCount}
        total={1_200}
        noun="node"
        isFiltered={isFiltered}
        onClear={() => pressed("clear")}
        onExport={() => pressed("export")}
      />,
    );
  const screen = await render(count(1_200, false));
  const buttons = () =>
    [...document.querySelectorAll("button")].map(({ textContent, disabled }) => `${textContent}${disabled ? " off" : ""}`);
  expect([textOf(".list-count .tabular"), buttons()]).toEqual(["1,200 of 1,200 nodes", ["Export CSV"]]);
  await screen.rerender(count(1_200, true));
  expect(buttons()).toEqual(["Show all", "Export CSV"]);
  await screen.rerender(count(0, false));
  expect(buttons()).toEqual(["Show all", "Export CSV off"]);
  await screen.rerender(count(1, false));
  for (const name of ["Show all", "Export CSV"]) await screen.getByRole("button", { name }).click();
  expect(pressed.mock.calls.flat()).toEqual(["clear", "export"]);
});

const numbered: readonly Column<number>[] = [
  { label: "Row", text: (row) => row, sort: { key: "row", compare: (a, b) => a - b } },
  {
    label: "Square",
    text: (row) => row * row,
    sort: { key: "even", compare: (a, b) => (a % 2) - (b % 2) },
    narrowSpan: 2,
    narrowHeight: 40,
  },
  { label: "Words", text: (row) => `words ${row}` },
];

test("a long table draws the rows in sight only, keeps the room of the others, and says a note in place of cells", async () => {
  await page.viewport(1280, 800);
  const rows = Array.from({ length: 500 }, (_, index) => index);
  await shown(
    <div style={{ height: 200, display: "flex", flexDirection: "column" }}>
      <LongTable
        label="Numbers"
        columns={numbered}
        rows={rows}
        keyOf={(row) => row}
        rowHeight={20}
        note={(row) => (row === 2 ? "nothing here" : undefined)}
      />
    </div>,
  );
  const scroller = document.querySelector<HTMLElement>(".long-scroller")!;
  const cellsOf = (row: number) =>
    [...document.querySelectorAll(`tr[aria-rowindex='${row + 2}'] td`)].map(({ textContent }) => textContent);
  expect([cellsOf(1), cellsOf(2)]).toEqual([
    ["1", "1", "words 1"],
    ["2", "nothing here"],
  ]);
  expect(document.querySelector("table")!.getAttribute("aria-rowcount")).toBe("501");
  expect(document.querySelectorAll("tbody tr").length).toBeLessThan(60);
  const whole = scroller.scrollHeight;
  scroller.scrollTop = whole;
  await expect.poll(() => cellsOf(499)).toEqual(["499", "249001", "words 499"]);
  expect(cellsOf(1)).toEqual([]);
  expect(Math.abs(scroller.scrollHeight - whole)).toBeLessThan(2);
  // One, and two cells on the next line, which is higher; the third begins a line of its own.
  expect([narrowHeight(numbered, 2), narrowHeight(numbered, 3), narrowHeight(numbered, 4)]).toEqual([
    3 * 26 + 14 + 14,
    2 * 26 + 14 + 14,
    26 + 14 + 14,
  ]);
  // Each line begins anew.
  expect(narrowHeight([...numbered, ...numbered.slice(0, 1)], 2)).toBe(3 * 26 + 14 + 14);
});

test("the newest of a list say how many they are, what there is else, and why there are none", async () => {
  const pressed = vi.fn<(what: string) => void>();
  const list = (pages: number[][] | undefined, rest: { hasNextPage?: boolean; isFiltered?: boolean; error?: Error } = {}) =>
    within(
      <NewestTable
        list={{
          data: pages && { pages },
          error: rest.error ?? null,
          dataUpdatedAt: 0,
          refetch: () => pressed("again"),
          isFetching: false,
          hasNextPage: rest.hasNextPage ?? false,
          isFetchingNextPage: false,
          fetchNextPage: () => pressed("older"),
        }}
        noun="event"
        nouns="events"
        none="No events yet"
        noMatch="No event matches"
        onClear={rest.isFiltered ? () => pressed("clear") : undefined}
        limitedTo=" of today"
        columns={numbered}
        keyOf={(row) => row}
      />,
    );
  const screen = await render(list(undefined));
  expect(textOf("[aria-busy=true] output")).toBe("Loading the events");
  await screen.rerender(list([[3, 2], [1]], { hasNextPage: true }));
  expect([...document.querySelectorAll("tbody tr")].map((row) => row.firstElementChild!.textContent)).toEqual(["3", "2", "1"]);
  expect(textOf("output")).toBe("3 events shown, there are older ones of today");
  await screen.getByRole("button", { name: "Show older events" }).click();
  await screen.rerender(list([[1]]));
  expect([textOf("output"), document.querySelectorAll("button").length]).toEqual(["1 event of today", 0]);
  await screen.rerender(list([[]]));
  await expect.element(screen.getByText("No events yet")).toBeVisible();
  await screen.rerender(list([[]], { isFiltered: true }));
  await expect.element(screen.getByText("No event matches")).toBeVisible();
  await screen.getByRole("button", { name: "Clear the filter" }).click();
  await screen.rerender(list([[1]], { error: new ApiError(500, "X", "It failed.") }));
  await screen.getByRole("button", { name: "Try again" }).click();
  expect(document.querySelectorAll("tbody tr")).toHaveLength(1);
  expect(pressed.mock.calls.flat()).toEqual(["older", "clear", "again"]);
});

test("rows that are all there are filtered, sorted either way, and saved as they are shown", async () => {
  const files = keepFiles();
  const choices = { All: () => true, Even: (row: number) => row % 2 === 0 };
  function List() {
    const { rows, tools, sorting } = useFilteredRows(numbered, [3, 1, 4, 2], choices, "numbers.csv");
    return (
      <>
        {tools}
        <button onClick={() => sorting.onSort("row")}>sort</button>
        <button onClick={() => sorting.onSort("even")}>by evenness</button>
        <output>{rows.join()}</output>
      </>
    );
  }
  const screen = await shown(<List />);
  expect(textOf("output")).toBe("1,2,3,4");
  await screen.getByRole("button", { name: "sort" }).click();
  expect(textOf("output")).toBe("4,3,2,1");
  await screen.getByRole("button", { name: "Even 2" }).click();
  expect(textOf("output")).toBe("4,2");
  await screen.getByRole("button", { name: "Export CSV" }).click();
  await screen.getByRole("button", { name: "sort" }).click();
  expect(textOf("output")).toBe("2,4");
  await screen.getByRole("button", { name: "All 4" }).click();
  const byEvenness = screen.getByRole("button", { name: "by evenness" });
  for (const order of ["2,4,1,3", "1,3,2,4", "2,4,1,3"]) {
    await byEvenness.click();
    expect(textOf("output")).toBe(order);
  }
  expect([files[0]!.name, (await files[0]!.content.text()).trim().split(/\r?\n/)[1]]).toEqual(["numbers.csv", "4,16,words 4"]);
});

test("what the server has of a list is saved as a file; what is cut off and what fails is said", async () => {
  const files = keepFiles();
  const answers = [{ rows: [1, 2], isWhole: true }, { rows: [1, 2], isWhole: false }, new ApiError(503, "X", "It is away.")];
  const readAll = async () => {
    const next = answers.shift()!;
    if (next instanceof Error) throw next;
    return next;
  };
  const screen = await shown(<SaveCsv fileName="events.csv" noun="event" readAll={readAll} linesOf={(rows) => rows.map((row) => [row])} />);
  const button = screen.getByRole("button", { name: "Save CSV" });
  await button.click();
  await expect.poll(() => files.map(({ name }) => name)).toEqual(["events.csv"]);
  expect(textOf(".notice")).toBeUndefined();
  await button.click();
  await expect.poll(() => textOf(".notice")).toBe("The file holds the newest 2 events. Choose an earlier time for the others.");
  await button.click();
  await expect.poll(() => textOf(".notice")).toBe("It is away.");
  expect(files).toHaveLength(2);
  expect(document.querySelector("button")!.disabled).toBe(false);
});

test("a long text is searched line by line, from the last that was found on and round its end", async () => {
  const text = Array.from({ length: 20_000 }, (_, line) =>
    line % 9_000 === 0 ? `Found ${line}` : `a line of some words, number ${line}`,
  ).join("\n");
  const screen = await shown(
    <div style={{ height: 300, display: "flex", flexDirection: "column" }}>
      <RawText text={text} label="The text" />
    </div>,
  );
  expect(textOf("output")).toBe("20,000 lines");
  await screen.getByLabelText("Find in the text").fill("FOUND");
  for (const line of ["1", "9,001", "18,001", "1"]) {
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => textOf("output")).toBe(`Line ${line} of 20,000`);
  }
  await expect.poll(() => textOf(".is-found")).toBe("Found 0");
  await screen.getByLabelText("Find in the text").fill("not there");
  expect(textOf("output")).toBe("20,000 lines");
  await screen.getByRole("button", { name: "Find next" }).click();
  expect(textOf("output")).toBe("Not found in 20,000 lines");
});

test("keys of a page are letters in a field, nothing with another key or below a dialog, and gone with the page", async () => {
  const pressed = vi.fn<(key: string) => void>();
  function Page() {
    usePageKeys({ j: () => pressed("j"), k: undefined });
    return <input aria-label="Field" />;
  }
  const screen = await shown(<Page />);
  await userEvent.keyboard("jJk");
  await userEvent.keyboard("{Control>}j{/Control}{Alt>}j{/Alt}");
  await screen.getByLabelText("Field").fill("");
  await userEvent.keyboard("j");
  (document.activeElement as HTMLElement).blur();
  const dialog = document.createElement("div");
  dialog.setAttribute("role", "dialog");
  document.body.append(dialog);
  await userEvent.keyboard("j");
  dialog.remove();
  await screen.unmount();
  await userEvent.keyboard("j");
  expect(pressed.mock.calls.flat()).toEqual(["j", "j"]);
});

test("a form says what another saved meanwhile and begins again with it, or that its own was refused", async () => {
  const onReload = vi.fn<() => void>();
  const reload = { noun: "node", changed: ["assetTag", "name"], by: undefined, isLosing: false, onReload };
  const refused = { message: { kind: "error", text: "It was changed" }, error: new ApiError(409, "CONFLICT", "It was changed") } as const;
  const failed = { ...refused, error: new ApiError(500, "X", "It was changed") };
  const lineOf = (line: object | undefined, changed: readonly string[], isWorking = false) =>
    within(<FormLine line={line as never} reload={{ ...reload, changed }} isWorking={isWorking} onCleared={() => undefined} />);
  const notices = () => [...document.querySelectorAll(".notice")].map((notice) => `${notice.role}: ${notice.textContent}`);
  const screen = await render(lineOf(undefined, []));
  expect(notices()).toEqual([]);
  await screen.rerender(lineOf(undefined, reload.changed));
  const words = "alert: Someone changed asset tag, name of this node since you opened it.Load the present values";
  expect(notices()).toEqual([words]);
  await screen.getByRole("button", { name: "Load the present values" }).click();
  await expect.poll(() => onReload.mock.calls.length).toBe(1);
  await screen.rerender(lineOf(undefined, reload.changed, true));
  expect(notices()).toEqual([]);
  await screen.rerender(lineOf(failed, reload.changed));
  expect(notices()).toEqual(["alert: It was changed", words]);
  await screen.rerender(lineOf(failed, []));
  expect(notices()).toEqual(["alert: It was changed"]);
  await screen.rerender(lineOf(refused, []));
  expect(notices()).toEqual(["alert: It was changedLoad the present values"]);
});

test("old values are put back into the form of their own object only", async () => {
  const Values = ({ object }: { object: string }) => <i>{JSON.stringify(usePutBack(object) ?? null)}</i>;
  await shown(
    <PutBack object="node/10101" values={{ name: "Fan" }}>
      <Values object="node/10101" />
      <Values object="node/10102" />
    </PutBack>,
  );
  expect([...document.querySelectorAll("i")].map(({ textContent }) => textContent)).toEqual(['{"name":"Fan"}', "null"]);
});

test("nodes that were chosen are behind one line in their order, and the list that one comes from is walked from there", async () => {
  const takeOff = listWalk.show(() => ["10100", "9999"]);
  // Without a list there is none to walk.
  onTestFinished(() => (takeOff(), listWalk.begin()));
  const screen = await shown(<NodeRange serials={["10100", "9999", "10001"]} most={2} />);
  expect(textOf("summary")).toBe("Nodes 9999 to 10100");
  await screen.getByText("Nodes 9999 to 10100").click();
  expect([...document.querySelectorAll("a")].map((link) => `${link.textContent} ${link.hash}`)).toEqual([
    "9999 #/nodes/9999",
    "10001 #/nodes/10001",
  ]);
  // The page stays.
  document.addEventListener("click", (event) => event.preventDefault(), { once: true });
  await screen.getByRole("link", { name: "9999" }).click();
  expect(listWalk.around("9999")).toEqual({ previous: "10100", next: null });
  await screen.rerender(within(<NodeRange serials={["10100"]} most={2} />));
  expect(textOf("summary")).toBe("Node 10100");
});

test("every kind of item leads to its own screen", () => {
  const kinds = [
    "node",
    "file",
    "content",
    "recipient",
    "download",
    "customer",
    "facility",
    "location",
    "user",
    "incident",
    "batch",
    "bulk",
  ] as const;
  expect(kinds.map((kind) => screenOf({ kind, id: kind === "file" ? "a b.txt 77" : "7" }))).toEqual([
    "#/nodes/7",
    "#/node-dashboard/files/a",
    undefined,
    "#/notifications",
    "#/downloads",
    "#/customers",
    "#/facilities/7",
    "#/customers?location=7",
    "#/users/7",
    "#/incidents/7",
    "#/batches/7",
    "#/bulk/7",
  ]);
});

test("a verdict that has a moment says how long ago it was", () => {
  const verdict = { kind: "away", gravity: "act", sentence: "Away since 00:48 PST.", since: 1_000, evidence: [] } as unknown as Parameters<
    typeof withAge
  >[0];
  expect([withAge(verdict, 1_720), withAge({ ...verdict, since: null }, 1_720)]).toEqual([
    "Away since 00:48 PST (12 min).",
    "Away since 00:48 PST.",
  ]);
});

test("a code for cameras is dark on light, with the room around it that they need", async () => {
  const screen = await render(<QrCode text="otpauth://totp/Busbar:ann?secret=JBSWY3DPEHPK3PXP" label="Code" />);
  const code = screen.getByRole("img", { name: "Code" }).element() as SVGSVGElement;
  const [ground, dark] = [code.querySelector("rect")!, code.querySelector("path")!];
  expect([ground.getAttribute("fill"), dark.getAttribute("fill")]).toEqual(["#fff", "#000"]);
  const [whole, drawn] = [ground.getBBox(), dark.getBBox()];
  expect([drawn.x, drawn.y]).toEqual([4, 4]);
  expect([drawn.width, drawn.height]).toEqual([whole.width - 8, whole.height - 8]);
});
