import { dataFileName, parseDataFileName } from "@busbar/contract/files/data-file-name.ts";
import { formatLocalTime } from "@busbar/contract/values/format-local-time.ts";
import { readLocalDateTime } from "@busbar/contract/values/local-time.ts";
import { expect, test } from "../fixtures.ts";
import { send } from "../location-world.ts";
import { freshFiles, sel, uploader } from "../relay-uploads.ts";
import { Person, bothHands } from "./person.ts";

const timezone = "America/Chicago";

/** Some moment between ten and eleven of last evening by the clocks of the machine. */
function lastEvening(): number {
  const today = formatLocalTime(Date.now() / 1000, timezone).slice(0, 10);
  const noon = readLocalDateTime(`${today} 12:00:00`, timezone);
  if (!("timestamp" in noon)) throw new Error(noon.problem);
  // A day before noon is the day before, also where a day has 25 hours.
  const yesterday = formatLocalTime(noon.timestamp - 86_400, timezone).slice(0, 10);
  const evening = readLocalDateTime(`${yesterday} 22:00:00`, timezone);
  if (!("timestamp" in evening)) throw new Error(evening.problem);
  return evening.timestamp + Math.floor(Math.random() * 3_600);
}

for (const [hands, width] of [...bothHands.map((each) => [each, 1_440] as const), ["mouse", 390] as const]) {
  test(`Job 4 last night's event of a machine and its waveform, by ${hands} at ${width} px`, async ({ app, context }) => {
    const { page } = app;
    await page.setViewportSize({ width, height: 844 });
    const upload = await uploader(context.request, sel.customer);
    const at = lastEvening();
    for (const { name, bytes } of freshFiles(sel.serial, ["cev", "eve"]))
      await upload(sel.serial, dataFileName({ ...parseDataFileName(name)!, timestamp: at }), bytes);
    const eventName = dataFileName({ serial: sel.serial, timestamp: at, kind: "E", interval: 1 }).slice(0, -4);
    await app.signIn("staff");
    await expect.poll(async () => (await send<{ status: string }>(page, "GET", `/events/${eventName}`)).status).toBe("read");
    await app.open("/home");
    const person = new Person(page, hands);

    if (width < 768) await page.getByRole("button", { name: "Toggle menu" }).click();
    await person.openMenu("Events");
    await person.search(sel.location);
    await person.press(page.getByRole("button", { name: "Last night" }));
    const event = page.getByRole("link", { name: `Event at ${sel.location}, ${formatLocalTime(at, timezone)}` });
    // Report and waveform are one row, with what it was and how large.
    await expect(page.getByRole("row").filter({ has: event })).toHaveText(/Trip.* k?A [ABC].* k?V [ABC]-N.*\d ms/s);
    await expect(event).toHaveCount(1);
    await person.expectAccessible();
    await person.press(event);

    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Event at ${sel.location}`);
    await expect(page.getByRole("img", { name: /^Current: IA -?\d.* A, IB/ })).toBeVisible();
    await expect(page.getByRole("region", { name: "Report" })).toContainText("FID=SEL-751");
    expect(person.clicks).toBeLessThanOrEqual(3);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    await person.expectAccessible();

    // The neighbours are those of the same filter.
    await expect(page).toHaveURL(/when=lastNight/);
    await expect(page.getByRole("link", { name: "All that match" })).toHaveAttribute("href", /text=.*when=lastNight/);
  });
}
