import { chromium } from "playwright-core";
import { chromiumFlags } from "../scripts/chromium.mjs";
import { startWorld } from "./start-world.ts";
const only = process.argv.slice(2);
const world = await startWorld();
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: chromiumFlags });
const shots = (await import("/tmp/look-reports/shots.mjs")).shots;
for (const [theme, width, height] of [
  ["light", 1440, 900],
  ["dark", 1440, 900],
  ["light", 390, 844],
]) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    timezoneId: "America/Chicago",
    locale: "en-US",
  });
  const r = await context.request.post(`${world.url}/api/sessions/administrator`, {
    data: { username: "admin", password: "Busbar-demo-1" },
  });
  const { data } = await r.json();
  await context.addCookies([
    { name: "admin-token", value: data.token, url: world.url },
    { name: "admin-roles", value: encodeURIComponent(JSON.stringify(data.roles)), url: world.url },
  ]);
  const page = await context.newPage();
  page.on("pageerror", (e) => console.log("ERR", e.message));
  page.on("console", (m) => {
    if (["error", "warning"].includes(m.type())) console.log(m.type(), m.text().slice(0, 300));
  });
  for (const [name, path, act] of shots) {
    if (only.length && !only.includes(name)) continue;
    await page.goto(`${world.url}/admin/#${path}`);
    await page.waitForTimeout(900);
    try {
      if (act) await act(page);
    } catch (e) {
      console.log(name, e.message.slice(0, 300));
    }
    await page.waitForTimeout(400);
    await page.screenshot({ path: `/tmp/look-reports/${name}-${theme}-${width}.png` });
    const w = await page.evaluate(() => document.documentElement.scrollWidth);
    if (w > width) console.log("WIDE", name, width, w);
  }
  await context.close();
}
await browser.close();
await world.stop();
