import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { filesNode, hostileFile, hostileText, longFile, newestFile } from "./odd-files.ts";

const route = `/node-dashboard/${filesNode}/files`;
const rows = (page: Page): Locator => page.getByRole("grid", { name: "Files" }).locator("tbody tr");
const scroller = (page: Page): Locator => page.locator(".file-scroller");
const timesOf = (page: Page) => rows(page).evaluateAll((list) => list.map((row) => Number((row as HTMLElement).dataset["timestamp"])));

/** Scrolls to a share of the path, and waits until it loads no more. */
async function scrollTo(page: Page, share: number): Promise<void> {
  await scroller(page).evaluate((element, at) => (element.scrollTop = (element.scrollHeight - element.clientHeight) * at), share);
}
/** The row in the middle of what is in sight and where it is. */
const middleRow = (page: Page) =>
  scroller(page).evaluate((element) => {
    const { top, height } = element.getBoundingClientRect();
    const row = [...element.querySelectorAll<HTMLElement>("tbody tr")].find((one) => one.getBoundingClientRect().bottom > top + height / 2);
    return { timestamp: row?.dataset["timestamp"], y: row?.getBoundingClientRect().top ?? 0 };
  });
const yOf = (page: Page, timestamp: string | undefined) =>
  page.locator(`tr[data-timestamp="${timestamp}"]`).evaluate((row) => row.getBoundingClientRect().top);

test.describe("file browser", () => {
  test.beforeEach(async ({ app }) => app.signIn("staff"));

  test("FIL-01 a node's files newest first, with place, state and reason; scrollPos and dataInterval in the address", async ({
    app: { page, open },
  }) => {
    await open(`${route}?dataInterval=900`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText(`${filesNode} Long Line 3, Archive Works, Long Files Testing`);
    await expect(rows(page)).toHaveCount(100);
    const times = await timesOf(page);
    expect(times.slice(0, 2)).toEqual([newestFile, newestFile - 900]);
    await expect(rows(page).first()).toContainText("2026-10-20 07:00:00 CDT");
    await expect(rows(page).first()).toContainText("Extracted");
    await expect(rows(page).nth(8)).toContainText("Failed Truncated: 12 of 269 rows");
    await scrollTo(page, 0.5);
    await expect(page).toHaveURL(/scrollPos=\d+/);
    const at = Number(new URL(page.url().replace("#/", "")).searchParams.get("scrollPos"));
    await page.reload();
    const top = page.locator(`tr[data-timestamp="${at}"]`);
    await expect(top).toBeInViewport();
    const head = await page.locator(".file-table thead").evaluate((element) => element.getBoundingClientRect().bottom);
    expect(Math.abs((await top.evaluate((row) => row.getBoundingClientRect().top)) - head)).toBeLessThan(34);
  });

  test("FIL-03 more at either end, never more than 500 rows, and what the reader looks at stays where it is", async ({
    app: { page, open },
  }) => {
    await open(route);
    await expect(rows(page)).toHaveCount(100);
    for (let loaded = 200; loaded <= 500; loaded += 100) {
      await scrollTo(page, 0.75);
      const seen = await middleRow(page);
      await expect(rows(page)).toHaveCount(loaded);
      expect(Math.abs((await yOf(page, seen.timestamp)) - seen.y)).toBeLessThan(2);
    }
    // Now each batch at the bottom takes one away at the top.
    const seen = await (async () => {
      await scrollTo(page, 0.8);
      return middleRow(page);
    })();
    await expect.poll(async () => (await timesOf(page))[0]).toBe(newestFile - 100 * 900);
    await expect(rows(page)).toHaveCount(500);
    expect(Math.abs((await yOf(page, seen.timestamp)) - seen.y)).toBeLessThan(2);
    // And back: newer ones come at the top, the oldest go.
    await scrollTo(page, 0.25);
    const back = await middleRow(page);
    await expect.poll(async () => (await timesOf(page))[0]).toBe(newestFile);
    await expect(rows(page)).toHaveCount(500);
    expect(Math.abs((await yOf(page, back.timestamp)) - back.y)).toBeLessThan(2);
    const times = await timesOf(page);
    expect(times.every((time, index) => index === 0 || time === times[index - 1]! - 900)).toBe(true);
  });

  test("FIL-02 FIL-04 tools collapse and expand; latest, earliest, and a date at 01:00 of the location", async ({
    app: { page, open },
  }) => {
    await open(route);
    const tools = page.getByRole("button", { name: "Tools", exact: true });
    await expect(tools).toHaveAttribute("aria-expanded", "false");
    await expect(page.getByRole("button", { name: "Go to latest file" })).toBeHidden();
    await tools.click();
    await expect(tools).toHaveAttribute("aria-expanded", "true");
    const year = page.getByLabel("Year");
    const years = await year.locator("option").allTextContents();
    expect(years).toHaveLength(7);
    expect(Number(years[0]) - Number(years[6])).toBe(6);
    await page.getByRole("button", { name: "Go to earliest file" }).click();
    await expect.poll(async () => (await timesOf(page)).at(-1)).toBe(newestFile - 1_499 * 900);
    await expect(rows(page).last()).toBeInViewport();
    const asked = page.waitForRequest(/\/files\?after=/);
    await year.selectOption("2026");
    await page.getByLabel("Month").selectOption("October");
    await page.getByLabel("Day").selectOption("14");
    await page.getByRole("button", { name: "Go to chosen date" }).click();
    // 01:00 in Chicago is 06:00 UTC that day.
    const target = Date.UTC(2026, 9, 14, 6) / 1000;
    expect(new URL((await asked).url()).searchParams.get("after")).toBe(String(target - 0.7 * 900 * 100));
    const row = page.locator(`tr[data-timestamp="${target}"]`);
    await expect(row).toBeInViewport();
    await expect(row).toContainText("2026-10-14 01:00:00 CDT");
    await page.getByRole("button", { name: "Go to latest file" }).click();
    await expect.poll(async () => (await timesOf(page))[0]).toBe(newestFile);
    await tools.click();
    await expect(page.getByRole("button", { name: "Go to latest file" })).toBeHidden();
  });

  test("rows by keyboard: arrows move, Enter opens the file", async ({ app: { page, open } }) => {
    await open(route);
    await rows(page).first().focus();
    await page.keyboard.press("ArrowDown");
    await expect(rows(page).nth(1)).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("File Contents");
    await page.goBack();
    await expect(rows(page).first()).toBeVisible();
  });

  test("FIL-06 the page of a file whose time is over says so, and leads back to the node's files", async ({ app: { page, open } }) => {
    const gone = `${filesNode}_20250301T120000Z_D0900.txt`;
    await open(`/node-dashboard/files/${gone}`);
    await expect(page.getByText(`File ${gone} is not there any more: such files are kept for 90 days`)).toBeVisible();
    await page.getByRole("link", { name: "Files of this node" }).click();
    await expect(rows(page).first()).toBeVisible();
  });

  test("a node that is not there, and a kind that it has none of", async ({ app: { page, open } }) => {
    await open("/node-dashboard/99999/files");
    await expect(page.getByText("Node 99999 was not found")).toBeVisible();
    await open(`${route}?kinds=H`);
    await page.getByRole("button", { name: "Show all files" }).click();
    await expect(rows(page).first()).toContainText("Event");
  });
});

test("FIL-05 COM-10 downloads are requested, packed and fetched; the fourth is refused in the server's words", async ({ app }) => {
  const { page, open } = app;
  await app.signIn("sysadmin");
  await open(route);
  await page.getByRole("button", { name: "Tools", exact: true }).click();
  await expect(page.getByLabel("Harmonics from")).toHaveValue("2020-01-01 03:50:00");
  await page.getByLabel("Since").fill("2026-2-30");
  await expect(page.getByText("There is no such day")).toBeVisible();
  await expect(page.getByRole("button", { name: "Download files since" })).toBeDisabled();
  await page.getByLabel("Since").fill("2026-10-19 1:00:00");
  await expect(page.getByText("You entered 2026-10-19 06:00:00 UTC")).toBeVisible();
  await page.getByRole("button", { name: "Download files since" }).click();
  await expect(
    page.getByText(`Files since 2026-10-19 1:00:00 of node ${filesNode} will be packed. A link is sent to sysadmin@busbar.example.`),
  ).toBeVisible();
  await page.getByRole("button", { name: "Download all files" }).click();
  await expect(page.getByText(`All files of node ${filesNode} will be packed.`)).toBeVisible();
  await page.getByRole("button", { name: "Request harmonics files" }).click();
  await expect(page.getByText(`Harmonics files of node ${filesNode} will be packed.`)).toBeVisible();
  // A request that has failed meanwhile does not count.
  await expect(async () => {
    await page.getByRole("button", { name: "Download all files" }).click();
    await expect(page.getByRole("alert")).toContainText("You have 3 downloads already.", { timeout: 2_000 });
  }).toPass();
  await open("/downloads");
  const item = page.getByRole("listitem", { name: `Files of node ${filesNode}`, exact: true }).first();
  await expect(item).toContainText("Ready");
  const saved = page.waitForEvent("download");
  await item.getByRole("button", { name: `Download Files of node ${filesNode}` }).click();
  expect((await saved).suggestedFilename()).toBe(`${filesNode}-files.zip`);
  const count = await page.getByRole("listitem", { name: /of node/ }).count();
  await item.getByRole("button", { name: `Delete Files of node ${filesNode}` }).click();
  await expect(page.getByRole("listitem", { name: /of node/ })).toHaveCount(count - 1);
});

test.describe("file contents", () => {
  test.beforeEach(async ({ app }) => app.signIn("staff"));

  test("FIL-06 location, file name, timestamp, date and time, status, failed reason and the raw text", async ({ app: { page, open } }) => {
    await open(`/node-dashboard/files/${filesNode}_20261020T100000Z_D0900.txt`);
    const fact = (name: string) => page.locator(".facts > div", { has: page.getByText(name, { exact: true }) }).locator("dd");
    await expect(fact("Location")).toHaveText("Long Line 3");
    await expect(fact("File name")).toContainText(`${filesNode}_20261020T100000Z_D0900.txt`);
    await expect(fact("Timestamp")).toHaveText(String(Date.UTC(2026, 9, 20, 10) / 1000));
    await expect(fact("Date and time")).toHaveText("2026-10-20 05:00:00 CDT");
    await expect(fact("Status")).toHaveText("Failed");
    await expect(fact("Failed reason")).toHaveText("Truncated: 12 of 269 rows");
    await expect(page.locator("pre.raw-text")).toHaveText("#VDF=2\nserialNumber=91006\n");
    await page.getByRole("link", { name: `Files of node ${filesNode}` }).click();
    await expect(page.locator(`tr[data-timestamp="${Date.UTC(2026, 9, 20, 10) / 1000}"]`)).toBeInViewport();
  });

  test("FIL-06 a long file is drawn in lines, can be searched, and is downloaded whole", async ({ app: { page, open } }) => {
    await open(`/node-dashboard/files/${longFile}`);
    await expect(page.getByText("The first 1 MB of")).toBeVisible();
    await expect(page.locator(".raw-line").first()).toHaveText(/^line 0 of a long file/);
    expect(await page.locator(".raw-line").count()).toBeLessThan(200);
    await page.getByLabel("Find in the text").fill("no line has this");
    await page.keyboard.press("Enter");
    await expect(page.getByText(/^Not found in [\d,]+ lines$/)).toBeVisible();
    await page.getByLabel("Find in the text").fill("line 12345 of");
    await page.keyboard.press("Enter");
    await expect(page.locator(".raw-line.is-found")).toHaveText(/^line 12345 of/);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download file" }).click();
    const stream = await (await saved).createReadStream();
    let bytes = 0;
    for await (const chunk of stream) bytes += (chunk as Buffer).length;
    expect(bytes).toBeGreaterThan(3_000_000);
  });

  test("FIL-06 hostile text is text", async ({ app: { page, open } }) => {
    await open(`/node-dashboard/files/${hostileFile}`);
    await expect(page.locator("pre.raw-text")).toHaveText(hostileText.replace("\u0000", "\u2400").replace("\u202E", "\u2039U+202E\u203A"));
    expect(await page.evaluate(() => (window as unknown as Record<string, unknown>)["__xss"])).toBeUndefined();
    await expect(page.getByText(/^NUL byte at \d+$/)).toBeVisible();
  });

  test("FIL-06 a one-second file is plotted", async ({ app: { page, open } }) => {
    await open("/node-dashboard/10102/files?kinds=S");
    await rows(page).first().getByRole("link").first().click();
    await expect(page.getByRole("img", { name: /^Voltage, line to line: V1 / })).toBeVisible();
    await expect(page.getByText("Extracted")).toBeVisible();
  });
});
