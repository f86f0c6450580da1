import { startTestMailServer } from "@busbar/server/testing/test-mail-server.ts";
import type { Locator, Page } from "@playwright/test";
import { addPerson } from "./extra-person.ts";
import { expect, password, signInByCookie, test, world } from "./fixtures.ts";
import { startOwnWorld } from "./start-world.ts";

const grid = (page: Page) => page.getByRole("grid", { name: "Users" });
const row = (page: Page, username: string) =>
  grid(page)
    .getByRole("row")
    .filter({ has: page.getByLabel(`Edit: ${username}`, { exact: true }) });
const act = (page: Page, label: string, username: string) =>
  page.getByRole("button", { name: `${label}: ${username}`, exact: true }).click();
const search = (page: Page) => page.getByRole("searchbox", { name: "Name, username, email, customer code or customer name" });
const dialog = (page: Page) => page.getByRole("dialog");
const choose = async (page: Page, field: Locator, option: string | RegExp) => {
  await field.click();
  await page.getByRole("option", { name: option }).click();
};
const unique = () => `u${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;

/** Adds a user through the form and leaves it open as the edit dialog. */
async function addUser(page: Page, username: string, more: { first?: string } = {}): Promise<void> {
  await page.getByRole("button", { name: "Add user" }).click();
  const form = dialog(page);
  await form.getByLabel("Username").fill(username);
  await form.getByLabel("First Name").fill(more.first ?? "Rowan");
  await form.getByLabel("Last Name").fill("Ashdown");
  await form.getByLabel("Email").fill(`${username}@coppervane.example`);
  await choose(page, form.getByRole("combobox", { name: "Customer" }), /^Coppervane Mining/);
  await form.getByLabel(/^Password/).fill("Velvet-Quarry7");
  await form.getByLabel("Confirm Password").fill("Velvet-Quarry7");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect(form.getByText("User saved successfully")).toBeVisible();
}

test("USR-01 columns, sorting by a click, long values cut with the whole in a tooltip", async ({ app }) => {
  await app.signIn();
  await app.open("/users");
  await expect(grid(app.page).getByRole("columnheader")).toHaveText([/^Username/, /^Email/, /^Customer/, "Actions"]);
  const names = () => grid(app.page).locator(".user-name").allTextContents();
  const header = (name: string) => grid(app.page).getByRole("columnheader", { name });
  await search(app.page).fill("coppervane.example");
  await expect(row(app.page, "pit.control")).toBeVisible();
  await expect(header("Username")).toHaveAttribute("aria-sort", "ascending");
  await header("Username").getByRole("button").click();
  await expect(header("Username")).toHaveAttribute("aria-sort", "descending");
  await expect.poll(async () => (await names())[0]).not.toBe("greyling");
  await expect(app.page).toHaveURL(/filterText=coppervane\.example&order=desc/);
  for (const name of ["Email", "Customer"]) {
    await header(name).getByRole("button").click();
    await expect(header(name)).toHaveAttribute("aria-sort", "ascending");
  }
  const long = row(app.page, "s.o_driscoll@coppervane");
  await expect(long.getByText("s.o_driscoll@coppe…")).toHaveAttribute("title", "s.o_driscoll@coppervane");
  await expect(long.getByText("siobhan.odriscoll.maintenance@co…")).toHaveAttribute(
    "title",
    "siobhan.odriscoll.maintenance@coppervane.example",
  );
  await search(app.page).fill("v.abernathy");
  await expect(row(app.page, "v.abernathy").getByText("Three River Valleys Dr…")).toHaveAttribute(
    "title",
    /^Three River Valleys Drinking Water/,
  );
});

test("USR-02 the search and what looks different", async ({ app }) => {
  await app.signIn();
  await app.open("/users");
  for (const text of ["alys", "THORNBURY", "a.thornbury", "a.thornbury@alderwyn", "alderwyn thornbury", "timberworks thornbury"]) {
    await search(app.page).fill(text);
    await expect(row(app.page, "a.thornbury")).toBeVisible();
    await expect(app.page.getByText(/^1 of \d+ users/)).toBeVisible();
  }
  await search(app.page).fill("no one like this");
  await expect(app.page.getByText("No user matches “no one like this”")).toBeVisible();
  await app.page.getByRole("button", { name: "Show all users" }).click();
  await expect(row(app.page, "a.thornbury")).not.toHaveClass(/is-(inactive|internal)/);
  // Only rows near the window are in the page, and other tests add users.
  await search(app.page).fill("h.castellane");
  await expect(row(app.page, "h.castellane")).toHaveClass(/is-inactive/);
  await expect(row(app.page, "h.castellane")).toContainText("SUSPENDED");
  await search(app.page).fill("bench.watch");
  await expect(row(app.page, "bench.watch")).toHaveClass(/is-internal/);
  await expect(row(app.page, "bench.watch")).toContainText("Internal");
  await search(app.page).fill("staff");
  await expect(row(app.page, "staff").getByRole("img", { name: "Has two-factor authentication" })).toBeVisible();
});

test("USR-03 USR-04 adding and editing a user: fields, defaults, rules, roles", async ({ app }) => {
  const username = unique();
  await app.signIn();
  await app.open("/users");
  await app.page.getByRole("button", { name: "Add user" }).click();
  const form = dialog(app.page);
  const box = (name: string) => form.getByRole("checkbox", { name, exact: true });
  for (const [name, isOn] of [
    ["Receive Daily Report", false],
    ["Access Analytics", false],
    ["Analytics Early Access", false],
    ["Demo User", false],
    ["Internal User", false],
    ["Receive Connectivity Notifications", true],
    ["Receive Fault Library Notifications", true],
    ["Auto Subscribe All Facilities", false],
  ] as const)
    await expect(box(name)).toBeChecked({ checked: isOn });
  await expect(form.getByRole("combobox", { name: "Active Status" })).toBeDisabled();
  await expect(form.getByText("Roles")).toBeVisible();
  await expect(form.getByText("None", { exact: true })).toBeVisible();
  const save = form.getByRole("button", { name: "Save", exact: true });
  await expect(save).toBeDisabled();
  await expect(form.getByText("Please correct the fields marked in red to enable Save button.")).toBeVisible();
  await form.getByLabel("Username").fill(username.toUpperCase());
  await expect(form.getByLabel("Username")).toHaveValue(username);
  await form.getByLabel("First Name").fill("R");
  await expect(form.getByText(/^First name has letters/)).toBeVisible();
  await form.getByLabel("First Name").fill("Rowan");
  await form.getByLabel("Last Name").fill("O'Ashdown");
  await form.getByLabel("Email").fill(`${username}@coppervane.example`);
  await choose(app.page, form.getByRole("combobox", { name: "Customer" }), /^Coppervane Mining/);
  await form.getByLabel(/^Password/).fill("Velvet-Quarry7");
  await form.getByLabel("Confirm Password").fill("Velvet-Quarry8");
  await expect(form.getByText("Passwords don't match")).toBeVisible();
  await expect(save).toBeDisabled();
  await form.getByLabel("Confirm Password").fill("Velvet-Quarry7");
  await save.click();
  await expect(form.getByText("User saved successfully")).toBeVisible();
  await form.getByRole("button", { name: "Close" }).click();

  await search(app.page).fill(username);
  await expect(row(app.page, username)).toContainText("Coppervane Mining");
  await act(app.page, "Edit", username);
  await expect(form.getByLabel(/^Password/)).toHaveCount(0);
  await box("Internal User").check();
  await choose(app.page, form.getByRole("combobox", { name: "Active Status" }), "SUSPENDED");
  await save.click();
  await expect(form.getByText("User saved successfully")).toBeVisible();
  await form.getByRole("button", { name: "Close" }).click();
  await expect(row(app.page, username)).toHaveClass(/is-inactive is-internal/);
  await search(app.page).fill("sysadmin");
  await act(app.page, "Edit", "sysadmin");
  await expect(form.getByText("Special Privileges (systemAdministrator)")).toBeVisible();
});

test("USR-04 the server's refusal is shown: a name that someone else has", async ({ app }) => {
  await app.signIn();
  await app.open("/users");
  await app.page.getByRole("button", { name: "Add user" }).click();
  const form = dialog(app.page);
  await form.getByLabel("Username").fill("pit.control");
  await form.getByLabel("First Name").fill("Rowan");
  await form.getByLabel("Last Name").fill("Ashdown");
  await form.getByLabel("Email").fill(`${unique()}@coppervane.example`);
  await choose(app.page, form.getByRole("combobox", { name: "Customer" }), /^Coppervane Mining/);
  await form.getByLabel(/^Password/).fill("Velvet-Quarry7");
  await form.getByLabel("Confirm Password").fill("Velvet-Quarry7");
  await form.getByRole("button", { name: "Save", exact: true }).click();
  await expect(form.getByRole("alert")).toHaveText("There is a user with this username already");
});

test("USR-05 an administrator sets a password", async ({ app }) => {
  const username = unique();
  await app.signIn();
  await app.open("/users");
  await addUser(app.page, username);
  await dialog(app.page).getByRole("button", { name: "Close" }).click();
  await search(app.page).fill(username);
  await act(app.page, "Change password", username);
  const form = dialog(app.page);
  await form.getByLabel("New Password").fill("password1");
  await form.getByLabel("Confirm Password").fill("password2");
  await expect(form.getByText("Passwords don't match")).toBeVisible();
  await form.getByLabel("Confirm Password").fill("password1");
  await form.getByRole("button", { name: "Change Password" }).click();
  await expect(form.getByRole("alert")).toContainText("too easy to guess");
  await form.getByLabel("New Password").fill("Granite-Willow8");
  await form.getByLabel("Confirm Password").fill("Granite-Willow8");
  await form.getByRole("button", { name: "Change Password" }).click();
  await expect(form.getByText("Password changed successfully")).toBeVisible();
});

test("USR-06 deleting suggests suspending, asks for a 2FA code, and shows the refusal of a wrong one", async ({ app, context }) => {
  const person = await addPerson([]);
  const username = unique();
  await signInByCookie(context, world().url, person.username);
  await app.open("/users");
  await addUser(app.page, username);
  await dialog(app.page).getByRole("button", { name: "Close" }).click();
  await search(app.page).fill(username);
  await act(app.page, "Delete", username);
  const form = dialog(app.page);
  await expect(form).toContainText(`Delete User ${username}?`);
  await expect(form).toContainText("Consider suspending the user instead");
  await form.getByRole("button", { name: "Delete" }).click();
  await expect(form.getByText("Please enter 2FA code")).toBeVisible();
  await form.getByLabel("2FA code").fill("zzzzzz");
  await form.getByRole("button", { name: "Delete" }).click();
  await expect(form.getByRole("alert")).toHaveText("The 2FA code is not right");
  await form.getByLabel("2FA code").fill(person.passcode());
  await form.getByRole("button", { name: "Delete" }).click();
  await expect(form.getByText(`User ${username} deleted successfully`)).toBeVisible();
  await form.getByRole("button", { name: "Close" }).first().click();
  await expect(app.page.getByText(`No user matches “${username}”`)).toBeVisible();
});

test("USR-07 the login history with times, zone and administrator flag", async ({ app }) => {
  await app.signIn();
  await app.open("/users?filterText=a.thornbury");
  await act(app.page, "Login history", "a.thornbury");
  const rows = dialog(app.page).getByRole("row");
  await expect(rows).toHaveCount(6);
  for (const each of (await rows.allTextContents()).slice(1)) expect(each).toMatch(/^\d{4}-\d\d-\d\d \d{1,2}:\d\d:\d\d [AP]M C[SD]TNo$/);
});

test("USR-08 USR-10 the welcome e-mail really goes out, and analytics opens in a new tab", async ({ page, context }) => {
  const smtp = await startTestMailServer();
  const own = await startOwnWorld({ SMTP_URL: smtp.url, ANALYTICS_URL: "https://analytics.busbar.example/portal" });
  try {
    await signInByCookie(context, own.url, "staff");
    await page.goto(`${own.url}/admin/#/users`);
    await act(page, "Send welcome email", "newcomer");
    const form = dialog(page);
    await expect(
      form.getByText("User does not have a first name. Please set it before you send a welcome email.", { exact: true }),
    ).toBeVisible();
    await expect(form.getByRole("button", { name: "Send Email" })).toBeDisabled();
    await form.getByRole("button", { name: "Close" }).first().click();

    await act(page, "Send welcome email", "a.thornbury");
    smtp.behaviour = "busy";
    await form.getByRole("button", { name: "Send Email" }).click();
    await expect(form.getByRole("alert")).toContainText("451 Try again later");
    smtp.behaviour = "take";
    await form.getByRole("button", { name: "Send Email" }).click();
    await expect(form.getByText("Email sent.")).toBeVisible();
    // The world sends other mails too.
    const welcomes = smtp.messages.filter(({ email }) => email.subject?.startsWith("Welcome"));
    expect(welcomes.map(({ recipients }) => recipients)).toEqual([["a.thornbury@alderwyn.example"]]);
    await form.getByRole("button", { name: "Close" }).first().click();

    await context.route("https://analytics.busbar.example/**", (route) =>
      route.fulfill({ body: "<h1>Analytics</h1>", contentType: "text/html" }),
    );
    const opened = context.waitForEvent("page");
    await act(page, "Open analytics in a new tab", "b.ekundayo");
    const tab = await opened;
    await expect(tab).toHaveURL("https://analytics.busbar.example/portal?customer=brinemoor&user=b.ekundayo&earlyAccess=true");
    await act(page, "Open analytics in a new tab", "pit.control");
    await expect(form.getByRole("alert")).toHaveText("pit.control has no access to analytics");
  } finally {
    await own.stop();
    await smtp.stop();
  }
});

test("USR-09 API keys and access keys: made, shown once, used, revoked", async ({ app, request }) => {
  const username = unique();
  await app.signIn();
  await app.open("/users");
  await addUser(app.page, username);
  await dialog(app.page).getByRole("button", { name: "Close" }).click();
  await search(app.page).fill(username);
  await act(app.page, "Manage API keys", username);
  const form = dialog(app.page);
  const secretText = "Please copy the secret token now in a safe place. It will never be shown again.";
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("a,b");
  await expect(form.getByText("A name has 1 to 64 letters, digits, _ and -")).toBeVisible();
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("reader");
  await form.getByRole("button", { name: "Create API Key" }).click();
  await expect(form.getByText(secretText)).toBeVisible();
  const key = (await form.locator(".shown-secret code").textContent()) ?? "";
  const ask = async (headers: Record<string, string>) => (await request.get(`${world().url}/api/customer/locations`, { headers })).status();
  expect(await ask({ "x-api-key": key })).toBe(200);

  await form.getByRole("textbox", { name: "Name", exact: true }).fill("uploader");
  await choose(app.page, form.getByRole("combobox", { name: "Scope", exact: true }), /^upload$/);
  await choose(app.page, form.getByRole("combobox", { name: "Expires in", exact: true }), "30 days");
  await form.getByRole("button", { name: "Create Access Key" }).click();
  await expect(form.locator(".shown-secret")).toHaveCount(2);
  const [accessKey, secretToken] = await form.locator(".shown-secret code").allTextContents();
  const basic = { authorization: `Basic ${Buffer.from(`${accessKey}:${secretToken}`).toString("base64")}` };
  expect(await ask(basic)).toBe(403); // it may upload only
  const table = (name: string) => form.getByRole("region", { name });
  await expect(table("API keys").getByRole("row").nth(1)).toContainText(key.split(".")[0] ?? "");
  await expect(table("API keys").getByRole("row").nth(1)).toContainText(/reader\s*\d{4}-\d\d-\d\d/);
  await expect(table("Access keys").getByRole("row").nth(1)).toContainText(accessKey ?? "");

  await form.getByRole("button", { name: "Close" }).click();
  await act(app.page, "Manage API keys", username);
  const inThirtyDays = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 7);
  await expect(table("Access keys").getByRole("row").nth(1)).toContainText(new RegExp(`uploader\\s*${inThirtyDays}.*upload`));
  await expect(form.getByText(secretText)).toHaveCount(0);
  await expect(form).not.toContainText(secretToken ?? "");
  await form.getByRole("button", { name: "Revoke reader" }).click();
  await form.getByRole("button", { name: "Revoke reader now" }).click();
  await expect(form.getByText("Key reader revoked")).toBeVisible();
  expect([await ask({ "x-api-key": key }), await ask(basic)]).toEqual([401, 403]);
});

test("USR-11 suspending someone who is signed in ends the session at once", async ({ app, context, browser }) => {
  const leaver = await addPerson([]);
  const other = await browser.newContext();
  try {
    await signInByCookie(other, world().url, leaver.username);
    const page = await other.newPage();
    await page.goto(`${world().url}/admin/#/users`);
    await expect(grid(page)).toBeVisible();
    const boss = await addPerson(["systemAdministrator"]);
    await signInByCookie(context, world().url, boss.username);
    await app.open(`/users?filterText=${leaver.username}`);
    await act(app.page, "Edit", leaver.username);
    await choose(app.page, dialog(app.page).getByRole("combobox", { name: "Active Status" }), "SUSPENDED");
    await dialog(app.page).getByRole("button", { name: "Save", exact: true }).click();
    await expect(dialog(app.page).getByText("User saved successfully")).toBeVisible();
    await act(page, "Login history", "a.thornbury");
    await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
    await page.getByLabel("Username").fill(leaver.username);
    await page.getByLabel(/^Password/).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert")).toHaveText("Username or password is incorrect.");
  } finally {
    await other.close();
  }
});

test("A-15 USR-12 the address of a user opens that user; Close and Back lead on, an unknown one is said to be so, also on a phone", async ({
  app,
}) => {
  const { page } = app;
  await app.signIn();
  const session = await page.request.post(`${world().url}/api/sessions/administrator`, { data: { username: "staff", password } });
  const { data } = (await session.json()) as { data: { token: string } };
  const listed = await page.request.get(`${world().url}/api/users`, { headers: { token: data.token } });
  const user = ((await listed.json()) as { data: { id: number; username: string }[] }).data[0]!;
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await app.open("/home");
    await app.open(`/users/${user.id}`);
    const dialog = page.getByRole("dialog", { name: `Edit User ${user.username}` });
    await expect(dialog).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(page).toHaveURL(/#\/users$/);
    await expect(dialog).toBeHidden();
    await page.goBack();
    await expect(page).toHaveURL(/#\/home$/);
    await page.goForward();
    for (const unknown of ["999999", "absent"]) {
      await app.open(`/users/${unknown}`);
      await expect(page.getByText(`There is no user with the id ${unknown}. All users are below.`)).toBeVisible();
      await expect(page.getByRole("heading", { level: 1, name: "Users" })).toBeVisible();
      await expect(page.getByRole("dialog")).toHaveCount(0);
    }
  }
});
