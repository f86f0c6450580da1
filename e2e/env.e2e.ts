import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { expect, signInByCookie, test, world } from "./fixtures.ts";
import { startOwnWorld } from "./start-world.ts";
import { forwardTcp } from "./tcp-forwarder.ts";

test("ENV-04 the top bar shows logo, console version and environment", async ({ app }) => {
  await app.signIn();
  await app.open("/home");
  const bar = app.page.getByRole("banner");
  await expect(bar.locator("svg.icon").first()).toBeVisible();
  await expect(bar.getByText("Busbar", { exact: true })).toBeVisible();
  await expect(bar.getByText("v268")).toBeVisible();
  await expect(bar.getByText("Development", { exact: true })).toBeVisible();
});

test("ENV-05 the title names the environment and the screen", async ({ app }) => {
  await app.signIn();
  await app.open("/home");
  await expect(app.page).toHaveTitle("Development Admin - Home");
  await app.open("/node-dashboard");
  await expect(app.page).toHaveTitle("Development Admin - Dashboard");
});

test("ENV-06 the console's own version is in one place", async () => {
  const hits = execFileSync(
    "git",
    [
      "grep",
      "-lwE",
      "consoleVersion = [0-9]+|268",
      "--",
      "apps/console/src",
      "apps/server/src",
      "packages",
      ":!*.json",
      ":!*.test.ts",
      ":!*.test.tsx",
      ":!*.snap",
      ":!*/kept/*.txt",
    ],
    {
      encoding: "utf8",
      cwd: join(import.meta.dirname, ".."),
    },
  );
  expect(hits.trim().split("\n")).toEqual(["packages/contract/src/system/updates.ts"]);
});

test("ENV-02 on localhost the calls go to the ports that the server names", async ({ app }) => {
  await app.signIn();
  const { url } = world();
  const call = app.page.waitForRequest(/\/api\/node-dashboard/);
  await app.open("/node-dashboard");
  expect((await call).url()).toMatch(new RegExp(`^${url}/api/node-dashboard`));
});

for (const [through, host, isSamePort] of [
  ["another port", "127.0.0.1", false],
  ["the same port of another address", "127.0.0.2", true],
] as const) {
  test(`A-05 ENV-02 through a tunnel at ${through} screens of both versions work`, async ({ page }) => {
    const inner = new URL(world().url);
    const tunnel = await forwardTcp(inner, { host, port: isSamePort ? Number(inner.port) : 0 });
    try {
      const url = `http://${host}:${tunnel.port}`;
      await signInByCookie(page.context(), url, "accounts");
      const asked: string[] = [];
      page.on("response", (response) => asked.push(response.url()));
      await page.goto(`${url}/admin/#/node-dashboard`);
      await expect(page.getByRole("grid", { name: "Nodes" })).toBeVisible();
      await page.goto(`${url}/admin/#/accounts/billing`);
      await expect
        .poll(() => asked.filter((address) => address.startsWith(`${url}/api/v2/billing/organizations`)).length)
        .toBeGreaterThan(0);
      await expect(page.getByText("Unable to connect to server")).toHaveCount(0);
      expect(asked.filter((address) => !address.startsWith(url))).toEqual([]);
    } finally {
      await tunnel.stop();
    }
  });
}

test("ENV-07 the published version is requested with a cache-buster on every 10 s cycle", async ({ app }) => {
  await app.page.clock.install();
  const asked: string[] = [];
  app.page.on("request", (request) => {
    if (request.url().includes("updates.json")) asked.push(request.url());
  });
  await app.open("/");
  await expect.poll(() => asked.length).toBe(1);
  await app.page.clock.fastForward(10_000);
  await expect.poll(() => asked.length).toBe(2);
  for (const address of asked) expect(address).toMatch(/\/admin\/assets\/updates\.json\?\d+$/);
  expect(new Set(asked).size).toBe(2);
});

test("ENV-08 a newer published version shows the banner; Update Now reloads", async ({ page }) => {
  const own = await startOwnWorld();
  try {
    await writeFile(join(own.dataDir, "updates.json"), JSON.stringify({ version: 269, releaseNotes: ["Faster lists", "Fewer clicks"] }));
    await page.goto(`${own.url}/admin/`);
    const banner = page.getByRole("region", { name: "Update" });
    await expect(banner).toContainText("You are on v268 of Admin UI. The latest version is v269.");
    await expect(banner.getByRole("listitem")).toHaveText(["Faster lists", "Fewer clicks"]);
    const reloaded = page.waitForEvent("load");
    await banner.getByRole("button", { name: "Update Now" }).click();
    await reloaded;
    await rm(join(own.dataDir, "updates.json"));
    await page.reload();
    await expect(page.getByLabel("Username")).toBeVisible();
    await expect(banner).toBeHidden();
  } finally {
    await own.stop();
  }
});

test("static files are compressed and kept for a year; the page itself is not", async ({ app }) => {
  const { url } = world();
  const page = await app.page.request.get(`${url}/admin/`);
  expect(page.headers()["cache-control"]).toBe("no-cache");
  const [script] = /assets\/start-[\w-]+\.js/.exec(await page.text()) ?? [""];
  const answer = await app.page.request.get(`${url}/admin/${script}`, { headers: { "accept-encoding": "br" } });
  expect(answer.headers()).toMatchObject({
    "content-encoding": "br",
    "cache-control": expect.stringMatching(/max-age=31536000.*immutable/),
  });
  const built = await readFile(join(import.meta.dirname, "../apps/console/dist", script));
  expect((await answer.body()).equals(built)).toBe(true);
});
