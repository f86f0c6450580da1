import { expect, password, test, world } from "./fixtures.ts";
import { freePort } from "@busbar/server/testing/free-port.ts";
import { addPerson } from "./extra-person.ts";
import { startOwnWorld } from "./start-world.ts";
import { forwardTcp } from "./tcp-forwarder.ts";
import type { Page } from "@playwright/test";

const username = (page: Page) => page.getByLabel("Username");
const passwordField = (page: Page) => page.getByRole("textbox", { name: "Password" });
const submit = (page: Page) => page.getByRole("button", { name: "Sign in" });

test("LOG-01 the root is the login page; with a token it leads home, any other route without one leads to it", async ({ app }) => {
  await app.open("/node-dashboard");
  await expect(app.page).toHaveURL(/#\/$/);
  await expect(submit(app.page)).toBeVisible();
  await app.signIn();
  await app.page.reload();
  await expect(app.page).toHaveURL(/#\/home$/);
  await app.open("/");
  await expect(app.page).toHaveURL(/#\/home$/);
});

test("LOG-02 shows version and environment; both fields are required", async ({ app }) => {
  await app.open("/");
  await expect(app.page.getByText("Console v268, Development")).toBeVisible();
  await submit(app.page).click();
  await expect(app.page.getByText("Username is required")).toBeVisible();
  await expect(app.page.getByText("Password is required")).toBeVisible();
  await expect(username(app.page)).toHaveAttribute("aria-invalid", "true");
});

test("LOG-05 LOG-07 LOG-09 signing in says so while it works, sends what the texts name and remembers the name", async ({ app }) => {
  await app.open("/");
  await username(app.page).fill("sysadmin");
  await passwordField(app.page).fill(password);
  const sent = app.page.waitForRequest(/\/sessions\/administrator$/);
  // Slow the answer down, not change it, so that the text can be seen.
  await app.page.route(/\/sessions\/administrator$/, async (route) => {
    await expect(app.page.getByText("Authenticating, please wait...", { exact: true })).toBeVisible();
    await route.continue();
  });
  await submit(app.page).click();
  const request = await sent;
  expect(request.method()).toBe("POST");
  expect(request.url()).toBe(`${world().url}/api/sessions/administrator`);
  expect(request.postDataJSON()).toEqual({
    username: "sysadmin",
    email: "",
    password,
    sendEmail: false,
    duration: 86_400,
    newDevice: true,
    v2Server: false,
  });
  expect(request.headers()).toMatchObject({ authorization: "Bearer busbar-console" });
  expect(request.headers()).not.toHaveProperty("token");
  await expect(app.page).toHaveURL(/#\/home$/);
  const cookies = await app.page.context().cookies();
  const remembered = cookies.find(({ name }) => name === "admin-username");
  expect(remembered?.value).toBe("sysadmin");
  expect(Math.round(((remembered?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(30);
  expect(decodeURIComponent(cookies.find(({ name }) => name === "admin-roles")?.value ?? "")).toBe('["systemAdministrator"]');
});

test("LOG-07 the same person on the same device is no new device", async ({ app }) => {
  await app.page.context().addCookies([{ name: "admin-username", value: "staff", url: world().url }]);
  await app.open("/");
  await expect(username(app.page)).toHaveValue("staff");
  await passwordField(app.page).fill(password);
  const sent = app.page.waitForRequest(/\/sessions\/administrator$/);
  await submit(app.page).click();
  expect((await sent).postDataJSON()).toMatchObject({ newDevice: false });
  await expect(app.page).toHaveURL(/#\/home$/);
});

test("LOG-06 an e-mail is sent as e-mail; what has an @ and is none is not sent, and the field says why", async ({ app }) => {
  await app.open("/");
  const requests: string[] = [];
  app.page.on("request", (request) => requests.push(request.url()));
  await username(app.page).fill("staff@nowhere");
  await passwordField(app.page).fill("x");
  await submit(app.page).click();
  await expect(app.page.getByText("This is neither a username nor a complete e-mail address")).toBeVisible();
  expect(requests.filter((url) => url.includes("/sessions/"))).toEqual([]);
  await username(app.page).fill("unknown@busbar.example");
  const sent = app.page.waitForRequest(/\/sessions\/administrator$/);
  await submit(app.page).click();
  expect((await sent).postDataJSON()).toMatchObject({ username: "", email: "unknown@busbar.example" });
});

test("LOG-08 a refused sign-in shows the server's words and a period", async ({ app }) => {
  await app.open("/");
  await username(app.page).fill("not-here");
  await passwordField(app.page).fill("wrong");
  await submit(app.page).click();
  await expect(app.page.getByRole("alert")).toHaveText("Username or password is incorrect.");
});

test("LOG-08 COM-04 without a server: exactly the text for a network failure", async ({ page }) => {
  const way = await forwardTcp(new URL(world().url), { host: "127.0.0.1", port: 0 });
  await page.goto(`http://127.0.0.1:${way.port}/admin/`);
  await username(page).fill("staff");
  await passwordField(page).fill(password);
  await way.stop();
  await submit(page).click();
  await expect(page.getByRole("alert")).toHaveText("Unable to connect to server. Please try again later.");
});

test("LOG-03 LOG-04 the server flags and other servers appear when they are configured; V2 goes to the v2 base", async ({ page }) => {
  const own = await startOwnWorld({ SHOW_SERVER_FLAGS: "true", LOGIN_SERVERS: "East=http://127.0.0.1:9" });
  try {
    await page.goto(`${own.url}/admin/`);
    await page.getByRole("combobox", { name: "Login server" }).click();
    await expect(page.getByRole("option")).toHaveText(["This server", "East"]);
    await page.getByRole("option", { name: "East" }).click();
    await username(page).fill("staff");
    await passwordField(page).fill(password);
    await submit(page).click();
    // No one answers there.
    await expect(page.getByRole("alert")).toContainText("Unable to connect to server. Please try again later.");
    const remembered = (await page.context().cookies()).find(({ name }) => name === "admin-remoteserver");
    expect(remembered?.value).toBe("East");
    expect(Math.round(((remembered?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(30);
    await page.reload();
    await expect(page.getByRole("combobox", { name: "Login server" })).toHaveValue("East");
    await page.getByRole("combobox", { name: "Login server" }).click();
    await page.getByRole("option", { name: "This server" }).click();
    await expect(page.getByRole("checkbox", { name: "Use Remote Java Server" })).toBeVisible();
    await page.getByRole("checkbox", { name: "Use V2 Server" }).check();
    await username(page).fill("staff");
    await passwordField(page).fill(password);
    const sent = page.waitForRequest(/\/sessions\/administrator$/);
    await submit(page).click();
    expect((await sent).url()).toContain("/api/v2/sessions/administrator");
    expect((await sent).postDataJSON()).toMatchObject({ v2Server: true });
    await expect(page).toHaveURL(/#\/home$/);
  } finally {
    await own.stop();
  }
});

test("A-04 LOG-04 who signs in at a second server from the first one's console works there", async ({ page }) => {
  const port = await freePort();
  const here = `http://127.0.0.1:${port}`;
  const east = await startOwnWorld({ CONSOLE_ORIGINS: here });
  const own = await startOwnWorld({ PORT: String(port), LOGIN_SERVERS: `East=${east.url}` });
  try {
    const person = await addPerson(["systemAdministrator", "accountsAdministrator"], east.dataDir);
    const policy = (await page.request.get(`${here}/admin/`)).headers()["content-security-policy"] ?? "";
    const own2 = /http:\/\/127\.0\.0\.1:(?!\d*$)\d+/.exec(policy)?.[0];
    expect(policy).toContain(`connect-src 'self' ${own2} ${east.url};`);
    await page.goto(`${here}/admin/`);
    await page.getByRole("combobox", { name: "Login server" }).click();
    await page.getByRole("option", { name: "East" }).click();
    await username(page).fill(person.username);
    await passwordField(page).fill(password);
    const asked: string[] = [];
    page.on("response", (response) => void (/\/api\//.test(response.url()) && response.ok() && asked.push(response.url())));
    await submit(page).click();
    await expect(page).toHaveURL(/#\/home$/);
    // v1 with a tag that is requested again, v2, and a GET that changes something.
    await page.goto(`${here}/admin/#/users`);
    await expect(page.getByText(person.username).first()).toBeVisible();
    await page.reload();
    await expect(page.getByText(person.username).first()).toBeVisible();
    await page.goto(`${here}/admin/#/accounts/billing`);
    await expect.poll(() => asked.some((url) => url.startsWith(`${east.url}/api/v2/billing/organizations`))).toBe(true);
    await page.goto(`${here}/admin/#/system/services`);
    const reaper = page.getByRole("row").filter({ hasText: "SessionReaper" });
    await reaper.getByRole("button", { name: /disable/i }).click();
    await expect.poll(() => asked.some((url) => url === `${east.url}/api/system/services/SessionReaper/disable`)).toBe(true);
    expect(asked.filter((url) => !url.startsWith(east.url))).toEqual([]);
    expect(asked.length).toBeGreaterThan(5);
  } finally {
    await own.stop();
    await east.stop();
  }
});

test("LOG-03 without the global flag there are no server flags", async ({ app }) => {
  await app.open("/");
  await expect(submit(app.page)).toBeVisible();
  await expect(app.page.getByRole("checkbox")).toHaveCount(0);
  await expect(app.page.getByRole("combobox", { name: "Login server" })).toBeVisible();
});

test("LOG-10 logging out ends the session in the browser and on the server", async ({ app }) => {
  await app.signIn();
  const token = (await app.page.context().cookies()).find(({ name }) => name === "admin-token")?.value ?? "";
  await app.open("/home");
  await app.page.getByRole("link", { name: "Logout" }).click();
  await expect(app.page).toHaveURL(/#\/$/);
  await expect(submit(app.page)).toBeVisible();
  expect((await app.page.context().cookies()).filter(({ name }) => name === "admin-token" || name === "admin-roles")).toEqual([]);
  const answer = await app.page.request.get(`${world().url}/api/node-dashboard`, { headers: { token } });
  expect(answer.status()).toBe(401);
});
