import { expect, test } from "../fixtures.ts";
import { Person, bothHands } from "./person.ts";

const year = new Date().getFullYear();
// Each hand bills another one: what is billed already is asked about.
const payers = { mouse: "Brinemoor Chemicals", keyboard: "Three River Valleys Finance Department" };
const clicksToChoosePayer = 2;

for (const hands of bothHands) {
  test(`Job 7 a month is billed and the invoice opened, by ${hands}`, async ({ app, context }) => {
    const { page } = app;
    await app.signIn("accounts");
    await app.open("/home");
    const person = new Person(page, hands);
    const pdf = context.waitForEvent("response", (response) => response.url().includes("/download-admin/"));
    const tab = context.waitForEvent("page");

    await person.openMenu("Billing");
    await person.choose(page.getByRole("combobox", { name: "Billing Organization" }), payers[hands]);
    await person.type(page.getByRole("textbox", { name: "Bill To" }), `${year + 1}-01-31`);
    await person.typeNext(page.getByRole("textbox", { name: "Invoice #" }), `${year}-${hands}`);
    await person.press(page.getByRole("button", { name: "Get Bill and PDF" }));

    const paper = page.getByRole("region", { name: "Bill", exact: true });
    await expect(paper).toContainText(payers[hands]);
    await expect(paper).toContainText(`${year}-${hands}`);
    await expect(paper).toContainText(`${year + 1}-01-31`);
    await tab;
    const answer = await pdf;
    expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "application/pdf"]);
    expect(person.clicks).toBeLessThanOrEqual(3 + clicksToChoosePayer);
  });
}
