import { expect, test } from "../fixtures.ts";
import { Person, bothHands } from "./person.ts";

const machine = { name: "Corrugator Main", relay: "11001" };

for (const hands of bothHands) {
  test(`Job 4 the last event of a machine and its waveform, by ${hands}`, async ({ app }) => {
    const { page } = app;
    await app.signIn("staff");
    await app.open("/home");
    const person = new Person(page, hands);

    await person.openMenu("Real-time");
    await person.search(machine.name);
    await person.press(page.getByRole("link", { name: `View Files of ${machine.relay}` }));
    const files = page.getByRole("grid", { name: "Files" });
    const events = files.getByRole("link", { name: /^Event of 11001_\d{8}T\d{6}Z_E\d+\.cev$/ });
    const name = /_(\d{8}T\d{6}Z_E\d+)\./.exec((await events.first().getAttribute("aria-label")) ?? "")?.[1] ?? "";
    await person.press(events.first());

    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Event File");
    await expect(page).toHaveURL(new RegExp(name));
    await expect(page.getByRole("img", { name: /^Current: IA -?\d.* A, IB/ })).toBeVisible();
    await expect(page.getByText(machine.name, { exact: true }).first()).toBeVisible();
    expect(person.clicks).toBeLessThanOrEqual(3);
  });
}
