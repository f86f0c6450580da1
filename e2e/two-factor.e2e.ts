import { totpCode, totpPeriodSeconds } from "@busbar/server/lib/totp.ts";
import type { Page } from "@playwright/test";
import { addPerson } from "./extra-person.ts";
import { expect, password, signInByCookie, test, world } from "./fixtures.ts";
import { startOwnWorld } from "./start-world.ts";

const dialog = (page: Page) => page.getByRole("dialog");

async function openSecurity(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Signed in as/ }).click();
  await page.getByRole("menuitem", { name: "Security" }).click();
  await expect(dialog(page).getByRole("heading", { name: "Two-factor authentication" })).toBeVisible();
}

test("SEC-03 setting up under one's own name: QR code, text secret, code, ten recovery codes shown once, which then work", async ({
  app,
  context,
}) => {
  const person = await addPerson([]);
  await signInByCookie(context, world().url, person.username);
  await app.open("/home");
  await openSecurity(app.page);
  const form = dialog(app.page);
  await form.getByRole("button", { name: "Use another authenticator" }).click();
  await form.getByLabel("Your password").fill(password);
  await form.getByLabel("2FA code").fill(person.passcode());
  await form.getByRole("button", { name: "Continue" }).click();
  await expect(form.getByRole("img", { name: "QR code of the new secret" })).toBeVisible();
  const secret = (await form.locator(".own-secret code").textContent()) ?? "";
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  await form.getByLabel("2FA code").fill("000000");
  await form.getByRole("button", { name: "Confirm" }).click();
  await expect(form.getByRole("alert")).toContainText("this is not the code that your authenticator shows now");
  await form.getByLabel("2FA code").fill(totpCode(secret, Date.now()));
  await form.getByRole("button", { name: "Confirm" }).click();
  await expect(form.getByText(/They will never be shown again\.$/)).toBeVisible();
  const codes = await form.locator(".recovery-codes li").allTextContents();
  expect(codes).toHaveLength(10);
  await form.getByRole("button", { name: "I have kept them" }).click();
  await expect(form.getByText(/10 recovery codes left\.$/)).toBeVisible();
  await expect(form).not.toContainText(codes[0] ?? "");
  await form.getByRole("button", { name: "New recovery codes" }).click();
  await form.getByLabel("2FA code").fill(codes[0] ?? "");
  await form.getByRole("button", { name: "Make new codes" }).click();
  await expect(form.locator(".recovery-codes li")).toHaveCount(10);
  expect(await form.locator(".recovery-codes li").allTextContents()).not.toContain(codes[1]);
});

test("SEC-03 own sessions are listed and ended, one's own password changed", async ({ app, context, browser }) => {
  const person = await addPerson([]);
  const other = await browser.newContext();
  try {
    await signInByCookie(other, world().url, person.username);
    await signInByCookie(context, world().url, person.username);
    await app.open("/home");
    await openSecurity(app.page);
    const form = dialog(app.page);
    const sessions = form.getByRole("region", { name: "Sessions" });
    await expect(sessions.getByRole("row")).toHaveCount(3);
    await expect(sessions.getByText("This session")).toHaveCount(1);
    await sessions.getByRole("button", { name: /^End the session from/ }).click();
    await expect(sessions.getByText("Session ended")).toBeVisible();
    await expect(sessions.getByRole("row")).toHaveCount(2);
    const page = await other.newPage();
    await page.goto(`${world().url}/admin/#/users`);
    await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();

    await form.getByRole("button", { name: "Change your password" }).click();
    await form.getByLabel("Current Password").fill("wrong");
    await form.getByLabel("New Password").fill("Granite-Willow88");
    await form.getByLabel("Confirm Password").fill("Granite-Willow88");
    await form.getByRole("button", { name: "Change Password" }).click();
    await expect(form.getByRole("alert")).toHaveText("Your current password is not right");
    await form.getByLabel("Current Password").fill(password);
    await form.getByRole("button", { name: "Change Password" }).click();
    await expect(form.getByText("Password changed. Your other sessions have ended")).toBeVisible();
    await expect(form.getByText("Please correct the fields marked in red")).toHaveCount(0);
  } finally {
    await other.close();
  }
});

test("SEC-03 a systemAdministrator takes a lost second factor away; the list shows who has one", async ({ app, context }) => {
  const lost = await addPerson([]);
  const boss = await addPerson(["systemAdministrator"]);
  await signInByCookie(context, world().url, boss.username);
  await app.open(`/users?filterText=${lost.username}`);
  const mark = app.page.getByRole("img", { name: "Has two-factor authentication" });
  await expect(mark).toBeVisible();
  await app.page.getByRole("button", { name: `Reset two-factor authentication: ${lost.username}` }).click();
  const form = dialog(app.page);
  await form.getByLabel("2FA code").fill(boss.passcode());
  await form.getByRole("button", { name: "Reset" }).click();
  await expect(form.getByText(`${lost.username} has no two-factor authentication any more`)).toBeVisible();
  await expect(mark).toHaveCount(0);
});

test("SEC-03 2FA at sign-in: the form asks for the code in a second step; who has none sets it up first", async ({ page }) => {
  const own = await startOwnWorld({ LOGIN_TWO_FACTOR: "all" });
  try {
    const person = await addPerson([], own.dataDir);
    await page.goto(`${own.url}/admin/`);
    const signIn = async (username: string) => {
      await page.getByLabel("Username").fill(username);
      await page.getByLabel(/^Password/).fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await signIn(person.username);
    await expect(page.getByLabel("2FA code")).toBeFocused();
    await page.getByLabel("2FA code").fill("zzzzzz");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert")).toHaveText("The 2FA code is not right.");
    await page.getByLabel("2FA code").fill(person.passcode());
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
    await page.goto(`${own.url}/admin/#/logout`);

    const bare = await addPerson([], own.dataDir, { hasTwoFactor: false });
    await signIn(bare.username);
    await expect(page.getByRole("heading", { name: "Welcome" })).toBeVisible();
    await page.goto(`${own.url}/admin/#/users`);
    await expect(page.getByRole("alert").first()).toContainText("Your account needs two-factor authentication. Set it up first");
    await openSecurity(page);
    const form = dialog(page);
    await form.getByRole("button", { name: "Set up two-factor authentication" }).click();
    await form.getByLabel("Your password").fill(password);
    await form.getByRole("button", { name: "Continue" }).click();
    const secret = (await form.locator(".own-secret code").textContent()) ?? "";
    await form.getByLabel("2FA code").fill(totpCode(secret, Date.now() + totpPeriodSeconds * 1000));
    await form.getByRole("button", { name: "Confirm" }).click();
    await form.getByRole("button", { name: "I have kept them" }).click();
    await form.getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("grid", { name: "Users" })).toBeVisible();
  } finally {
    await own.stop();
  }
});
