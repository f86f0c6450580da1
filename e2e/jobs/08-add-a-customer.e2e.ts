import { startTestMailServer } from "@busbar/server/testing/test-mail-server.ts";
import { expect, signInByCookie, test } from "../fixtures.ts";
import { unique } from "../location-world.ts";
import { startOwnWorld } from "../start-world.ts";
import { Person, bothHands } from "./person.ts";

// A world of its own, in which mail goes out.
test.describe.configure({ mode: "default" });
let mailServer: Awaited<ReturnType<typeof startTestMailServer>>;
let own: Awaited<ReturnType<typeof startOwnWorld>>;
test.beforeAll(async () => {
  mailServer = await startTestMailServer();
  own = await startOwnWorld({ SMTP_URL: mailServer.url });
});
test.afterAll(async () => {
  await own.stop();
  await mailServer.stop();
});

for (const hands of bothHands) {
  test(`Job 8 a customer with facility, location, user, key, subscription and mail, by ${hands}`, async ({ page, context }) => {
    await signInByCookie(context, own.url, "staff");
    await page.goto(`${own.url}/admin/#/home`);
    const person = new Person(page, hands);
    const code = unique();
    const names = { customer: `Customer ${code}`, facility: `Works ${code}`, location: `Pump ${code}`, user: `u${code}` };
    const form = page.getByRole("dialog");
    const field = (name: string) => form.getByRole("textbox", { name, exact: true });
    const close = async () => {
      await person.press(form.getByRole("button", { name: "Close" }).first());
      await expect(form).toBeHidden();
    };

    await person.openMenu("Customers");
    await person.press(page.getByRole("button", { name: "Add customer" }));
    await person.type(field("Code"), code);
    await person.typeNext(field("Name"), names.customer);
    await person.submit();
    await expect(form.getByText("Customer saved successfully")).toBeVisible();
    await close();

    await person.search(code);
    await person.press(page.getByRole("button", { name: `Add facility to ${names.customer}` }));
    await person.type(field("Name"), names.facility);
    await person.typeNext(field("Site Name"), "Main site");
    await person.submit();
    await expect(form.getByText("Facility saved successfully")).toBeVisible();
    await close();

    await person.press(page.getByRole("button", { name: `Add location to ${names.facility}` }));
    await person.type(field("Name"), names.location);
    await person.choose(form.getByRole("combobox", { name: "Time Zone", exact: true }), "America/Chicago");
    await person.press(form.getByRole("button", { name: "Save" }));
    await expect(form.getByText("Location/Equipment saved successfully")).toBeVisible();
    await expect(form).toBeHidden();
    await expect(page.getByRole("treeitem").filter({ hasText: names.location })).toBeVisible();

    await person.openMenu("Users");
    await person.press(page.getByRole("button", { name: "Add user" }));
    await person.type(field("Username"), names.user);
    await person.typeNext(field("First Name"), "Rowan");
    await person.typeNext(field("Last Name"), "Ashdown");
    await person.typeNext(field("Email"), `${names.user}@works.example`);
    await person.choose(form.getByRole("combobox", { name: "Customer" }), code, new RegExp(code));
    await person.typeNext(form.getByLabel(/^Password/), "Velvet-Quarry7");
    await person.typeNext(form.getByLabel("Confirm Password"), "Velvet-Quarry7");
    await person.press(form.getByRole("checkbox", { name: "Receive Daily Report" }));
    await person.press(form.getByRole("button", { name: "Save", exact: true }));
    await expect(form.getByText("User saved successfully")).toBeVisible();
    await person.press(form.getByRole("group", { name: `How often: ${names.facility}` }).getByRole("button", { name: "Daily" }));
    await person.press(form.getByRole("button", { name: "Save subscriptions" }));
    await expect(form.getByText("Subscriptions saved successfully")).toBeVisible();
    await close();

    await person.search(names.user);
    await person.press(page.getByRole("button", { name: `Manage API keys: ${names.user}` }));
    await person.type(field("Name"), "uploads");
    await person.submit();
    await expect(form.getByText("Key made successfully")).toBeVisible();
    await close();

    await person.press(page.getByRole("button", { name: `Send welcome email: ${names.user}` }));
    await person.press(form.getByRole("button", { name: "Send Email" }));
    await expect(form.getByText("Email sent.")).toBeVisible();
    const mail = mailServer.messages.find(({ recipients }) => recipients.includes(`${names.user}@works.example`));
    expect(mail?.email.text).toContain(`- ${names.facility}: Daily\n`);
    expect(person.clicks).toBeLessThanOrEqual(22);
  });
}
