import { expect, password, test, world, type Console } from "./fixtures.ts";
import { oddNodes } from "./odd-nodes.ts";

const cookie = async (app: Console, name: string) => (await app.page.context().cookies()).find((each) => each.name === name);

function tokenWith(claims: { iat: number; exp: number }): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "HS256" })}.${part({ ...claims, name: "Short Lived", username: "short" })}.x`;
}

test("SES-01 the token is in its cookie for 0.02085 days and is extended every 60 s", async ({ app }) => {
  await app.signIn();
  await app.page.clock.install();
  await app.open("/home");
  const before = Date.now() / 1000;
  await app.page.clock.fastForward(60_000);
  await expect.poll(async () => ((await cookie(app, "admin-token"))?.expires ?? -1) > 0).toBe(true);
  const first = (await cookie(app, "admin-token"))?.expires ?? 0;
  const extendedAt = first - 60 - 0.020_85 * 86_400;
  expect(extendedAt).toBeGreaterThan(before - 2);
  expect(extendedAt).toBeLessThan(Date.now() / 1000 + 2);
  await app.page.clock.fastForward(60_000);
  await expect.poll(async () => (await cookie(app, "admin-token"))?.expires ?? 0).toBeGreaterThan(first + 50);
  expect((await cookie(app, "admin-roles"))?.value).toBeDefined();
});

test("SES-02 SES-04 a session with under 900 s left is cleared by the check and the person returns to the root", async ({ app }) => {
  const answer = await app.page.context().request.post(`${world().url}/api/sessions/administrator`, {
    data: { username: "staff", password, duration: 1_500 },
  });
  const { data } = (await answer.json()) as { data: { token: string } };
  await app.page.context().addCookies([
    { name: "admin-token", value: data.token, url: world().url },
    { name: "admin-roles", value: "%5B%5D", url: world().url },
  ]);
  await app.page.clock.install();
  await app.open("/home");
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
  await app.page.clock.fastForward(610_000);
  await expect(app.page).toHaveURL(/#\/$/);
  await expect(app.page.getByRole("button", { name: "Sign in" })).toBeVisible();
  expect([await cookie(app, "admin-token"), await cookie(app, "admin-roles")]).toEqual([undefined, undefined]);
});

test("SES-02 a cookie that is gone ends the session within a check", async ({ app }) => {
  await app.signIn();
  await app.page.clock.install();
  await app.open("/home");
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
  await app.page.context().clearCookies({ name: "admin-token" });
  await app.page.clock.fastForward(10_000);
  await expect(app.page.getByRole("button", { name: "Sign in" })).toBeVisible();
});

test("SES-03 once 900 s have passed since issue the session is refreshed", async ({ app }) => {
  await app.signIn("sysadmin");
  const before = (await cookie(app, "admin-token"))?.value;
  await app.page.clock.install();
  await app.open("/home");
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
  const refresh = app.page.waitForRequest((request) => request.method() === "PATCH" && request.url().endsWith("/api/sessions"));
  await app.page.clock.fastForward(901_000);
  const request = await refresh;
  expect(request.headers()["token"]).toBe(before);
  expect(request.postDataJSON()).toEqual({ duration: 86_400 });
  await expect.poll(async () => (await cookie(app, "admin-token"))?.value).not.toBe(before);
  expect(decodeURIComponent((await cookie(app, "admin-roles"))?.value ?? "")).toBe('["systemAdministrator"]');
});

test("SES-03 a refresh that fails is only logged: the person stays", async ({ app }) => {
  const logged: string[] = [];
  app.page.on("console", (message) => logged.push(message.text()));
  await app.signIn();
  await app.page.clock.install();
  await app.open("/home");
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
  await app.page.context().setOffline(true);
  await app.page.clock.fastForward(901_000);
  await expect.poll(() => logged.some((text) => text.includes("could not be refreshed"))).toBe(true);
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
});

test("SES-05 a call is not even sent with a token that is over, and a 401 clears the session", async ({ app }) => {
  await app.signIn();
  const token = (await cookie(app, "admin-token"))?.value ?? "";
  await app.open("/node-dashboard");
  await expect(app.page.getByRole("grid", { name: "Nodes" })).toBeVisible();
  // Signed out elsewhere: the next poll is answered 401.
  await app.page.request.delete(`${world().url}/api/sessions`, { headers: { token } });
  await expect(app.page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await expect(app.page.getByText("Your session has ended. Please sign in again")).toBeVisible();

  const now = Math.floor(Date.now() / 1000);
  await app.page.context().addCookies([{ name: "admin-token", value: tokenWith({ iat: now, exp: now + 300 }), url: world().url }]);
  const calls: string[] = [];
  app.page.on("request", (request) => calls.push(request.url()));
  await app.page.goto("about:blank");
  await app.open("/node-dashboard");
  await expect(app.page.getByRole("button", { name: "Sign in" })).toBeVisible();
  expect(calls.filter((url) => url.includes("/api/node-dashboard"))).toEqual([]);
});

test("SES-04 what one person had open is not open for the next who signs in on the same page", async ({ app }) => {
  await app.signIn();
  await app.open("/home");
  await app.page.getByRole("button", { name: /^Signed in as/ }).click();
  await app.page.getByRole("menuitem", { name: "Security" }).click();
  await expect(app.page.getByRole("dialog")).toBeVisible();
  const other = await app.page.context().newPage();
  await other.goto(`${world().url}/admin/#/logout`);
  await expect(app.page.getByRole("button", { name: "Sign in" })).toBeVisible();
  await app.page.getByRole("textbox", { name: "Username" }).fill("admin");
  await app.page.getByLabel("Password", { exact: false }).first().fill(password);
  await app.page.getByRole("button", { name: "Sign in" }).click();
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
  await expect(app.page.getByRole("dialog")).toHaveCount(0);
});

test("SES-04 logging out in one tab logs out the others", async ({ app }) => {
  await app.signIn();
  await app.open("/home");
  const other = await app.page.context().newPage();
  await other.goto(`${world().url}/admin/#/node-dashboard`);
  await expect(other.getByRole("grid", { name: "Nodes" })).toBeVisible();
  await app.page.getByRole("link", { name: "Logout" }).click();
  await expect(other.getByRole("button", { name: "Sign in" })).toBeVisible();
  await expect(app.page.getByRole("button", { name: "Sign in" })).toBeVisible();
  for (const page of [app.page, other]) await expect(page.getByText("Your session has ended")).toHaveCount(0);
});

for (const [words, minutes] of [
  ["20 minutes fast", 20],
  ["25 hours fast", 25 * 60],
  ["20 minutes slow", -20],
] as const) {
  test(`SES-02 SES-03 COM-05 a computer whose clock is ${words} keeps its session and shows true ages`, async ({ app }) => {
    await app.signIn();
    const token = (await cookie(app, "admin-token"))?.value ?? "";
    const answer = await app.page.request.get(`${world().url}/api/node-dashboard`, { headers: { token } });
    const { data } = (await answer.json()) as { data: { dashboardNodeMap: Record<string, { lastDatafileTimestamp: number }> } };
    const fileAt = data.dashboardNodeMap[oddNodes.everything]?.lastDatafileTimestamp ?? 0;

    const refreshes: string[] = [];
    app.page.on("request", (request) => void (request.method() === "PATCH" && refreshes.push(request.url())));
    await app.page.clock.install({ time: Date.now() + minutes * 60_000 });
    await app.open(`/node-dashboard?filterText=${oddNodes.everything}`);
    const row = app.page.getByRole("row").filter({ hasText: oddNodes.everything });
    await expect(row).toContainText(/15 min file \d+ minutes ago/);
    const shown = Number(/15 min file (\d+) minutes/.exec((await row.textContent()) ?? "")?.[1]);
    expect(Math.abs(shown - (Date.now() / 1000 - fileAt) / 60)).toBeLessThan(1.5);
    await app.page.clock.runFor(20_000);
    await expect(row).toBeVisible();
    expect(refreshes).toEqual([]);
  });
}
