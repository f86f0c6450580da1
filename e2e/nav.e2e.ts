import { expect, test, type Person } from "./fixtures.ts";
import { oddNodes, oddPlace } from "./odd-nodes.ts";

const everyone = [
  "Home",
  "Nodes",
  "Customers",
  "Users",
  "Real-time",
  "User Logins",
  "Live Activity",
  "Notifications",
  "Network Config",
  "Deployments",
  "Batches",
  "Changes",
  "Events",
  "Incidents",
  "Muted",
  "Data Coverage",
  "Trends",
];
const systemMenu = ["Service Management", "Configure Application", "Errors", "Warnings", "Debug"];
const reportsMenu = ["Billing", "Customer Summary", "Subscription Report", "User Report"];

const routes: [string, string][] = [
  ["/home", "Welcome"],
  ["/node-dashboard", "Server started"],
  ["/node-dashboard/10001/files?dataInterval=900", "Files"],
  ["/node-dashboard/7/10001/metering", "Metering"],
  ["/node-dashboard/10001/sensordata/1795000000/current", "Sensor Data"],
  ["/node-dashboard/files/10001_20260106T143000Z_D0900.txt", "File Contents"],
  ["/nodes/10101/tasks", "asks"],
  ["/nodes", "Nodes"],
  ["/users", "Users"],
  ["/system/services", "Service State"],
  ["/system/errors", "Service State"],
  ["/system/warnings", "Service State"],
  ["/system/debug", "Service State"],
  ["/system/config", "Configure Application"],
  ["/system/activity", "Live Activity"],
  ["/customers?filterText=alder", "ALL CUSTOMERS"],
  ["/notifications", "Notifications"],
  ["/activities/gpnodeevents", "GP Node Events"],
  ["/activities/gpnodewaveforms", "GP Node Waveforms"],
  ["/activities/allactivities", "Activities"],
  ["/activities/logins", "Login Events"],
  ["/activity/eventfiles/10001_20260106T143000Z_E0001.cev", "Event File"],
  ["/networkconfig", "Network Config"],
  ["/deployments", "Deployments"],
  ["/batches", "Batches"],
  ["/changes", "Changes"],
  ["/events", "Events"],
  ["/incidents", "Incidents"],
  ["/muted", "Muted"],
  ["/coverage", "Data coverage"],
  ["/trends", "Trends"],
  ["/customersummary", "Customer Summary"],
  ["/reports/users", "Download User List"],
  ["/subscriptionreport", "Subscription Report"],
  ["/accounts/billing", "Generate a Bill"],
];

test("NAV-01 every route of the texts opens by its address and stays after a reload", async ({ app }) => {
  await app.signIn("admin");
  for (const [route, heading] of routes) {
    await app.open(route);
    await expect(app.page.getByRole("heading", { level: 1 })).toContainText(heading);
    await app.page.reload();
    await expect(app.page.getByRole("heading", { level: 1 })).toContainText(heading);
    expect(app.page.url()).toContain(`#${route}`);
  }
});

test("NAV-02 following a link to the screen already shown rebuilds it", async ({ app }) => {
  await app.signIn();
  await app.open("/node-dashboard");
  const grid = app.page.getByRole("grid", { name: "Nodes" });
  await expect(grid).toBeVisible();
  await grid.evaluate((element) => element.setAttribute("data-old", ""));
  const whole = app.page.waitForRequest((request) => request.url().endsWith("/api/node-dashboard"));
  await app.page.getByRole("link", { name: "Real-time" }).click();
  await whole;
  await expect(grid).toBeVisible();
  await expect(grid).not.toHaveAttribute("data-old");
});

/** In the page: what is asked from the last press on, until it is answered for the first time. Polls begin after that. */
function watchCalls(): void {
  const calls = { asked: [] as string[], answered: [] as string[], press: 0, open: 0 };
  document.addEventListener("click", () => Object.assign(calls, { asked: [], answered: [], press: calls.press + 1 }), true);
  const send = window.fetch;
  window.fetch = async (...input) => {
    const [target] = input;
    const url = target instanceof Request ? target.url : String(target);
    const { press } = calls;
    if (!calls.answered.includes(url)) calls.asked.push(url);
    calls.open++;
    try {
      const response = await send(...input);
      if (press === calls.press) calls.answered.push(url);
      return response;
    } finally {
      calls.open--;
    }
  };
  Object.assign(window, { calls });
}

test("A-28 the menu entry of the screen already shown asks each call once", async ({ app }) => {
  await app.signIn("admin");
  await app.page.addInitScript(watchCalls);
  await app.open("/home");
  const links = app.page.getByRole("navigation", { name: "Main" }).getByRole("link");
  await expect(links.first()).toBeVisible();
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")?.slice(1) ?? ""));
  expect(paths.length).toBeGreaterThan(10);
  const calls = () =>
    app.page.evaluate(() => (window as unknown as { calls: { asked: string[]; answered: string[]; open: number } }).calls);
  // The shell requests one's own account, the screen for what it shows.
  const isShown = async () => {
    const { answered, open } = await calls();
    return open === 0 && answered.some((url) => !url.endsWith("/account"));
  };
  for (const path of paths.filter((each) => each !== "/home" && each !== "/logout")) {
    const link = app.page.getByRole("navigation", { name: "Main" }).locator(`a[href="#${path}"]`);
    await link.click();
    // A press that comes before the first asking makes the screen twice.
    await expect.poll(isShown).toBe(true);
    await link.click();
    await expect.poll(isShown).toBe(true);
    const { asked } = await calls();
    expect([path, asked]).toEqual([path, [...new Set(asked)]]);
  }
});

test("NAV-03 without a session there is no menu", async ({ app }) => {
  await app.open("/");
  await expect(app.page.getByLabel("Username")).toBeVisible();
  await expect(app.page.getByRole("navigation", { name: "Main" })).toBeHidden();
});

for (const [person, menu] of [
  ["staff", []],
  ["sysadmin", systemMenu],
  ["accounts", reportsMenu],
  ["admin", [...systemMenu, ...reportsMenu]],
] as [Person, string[]][]) {
  test(`NAV-03 NAV-04 NAV-05 the menu of ${person}`, async ({ app }) => {
    await app.signIn(person);
    await app.open("/home");
    const links = app.page.getByRole("navigation", { name: "Main" }).getByRole("link");
    await expect(links).toHaveText([...everyone, ...menu, "Logout"]);
    const groups = app.page.getByRole("navigation", { name: "Main" }).getByRole("heading");
    const expected = [
      "Manage",
      "Monitor",
      ...(menu.includes("Errors") ? ["System", "Diagnose"] : []),
      ...(menu.includes("Billing") ? ["Reports"] : []),
    ];
    await expect(groups).toHaveText(expected);
  });
}

test("NAV-06 a role-only route without the role says which one it needs", async ({ app }) => {
  await app.signIn("staff");
  for (const [route, role] of [
    ["/system/services", "systemAdministrator"],
    ["/system/errors", "systemAdministrator"],
    ["/accounts/billing", "accountsAdministrator"],
    ["/reports/users", "accountsAdministrator"],
  ] as const) {
    await app.open(route);
    await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("You are not permitted to open this page");
    await expect(app.page.getByText(`It needs the role ${role}.`)).toBeVisible();
  }
});

test("NAV-06 an unknown route says so and leads home", async ({ app }) => {
  await app.signIn();
  await app.open("/no/such/place");
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("This page does not exist");
  await app.page.getByRole("link", { name: "Go to Home" }).click();
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
});

test("NAV-07 home welcomes and points to Real-time", async ({ app }) => {
  await app.signIn();
  await app.open("/home");
  await expect(app.page.getByRole("main")).toContainText("Welcome");
  await expect(app.page.getByRole("main")).toContainText("Please click Real-time in the menu for the live dashboard.");
});

test("NAV-08 the feeds without a menu entry are linked from Live Activity and from a node's event count", async ({ app }) => {
  await app.signIn();
  await app.open("/system/activity");
  for (const [name, heading] of [
    ["All activities", "Activities"],
    ["GP node events", "GP Node Events"],
    ["GP node waveforms", "GP Node Waveforms"],
  ] as const) {
    await app.page.getByRole("link", { name }).click();
    await expect(app.page.getByRole("heading", { level: 1 })).toHaveText(heading);
    await app.page.goBack();
  }
  await app.open("/node-dashboard?filterText=90001");
  await app.page.getByRole("link", { name: "41 events of 90001" }).click();
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("GP Node Events");
  expect(app.page.url()).toContain("#/activities/gpnodeevents?filterText=90001");
});

test("the palette goes to a screen by its name, with the keyboard alone", async ({ app }) => {
  await app.signIn("admin");
  await app.open("/home");
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
  await app.page.getByRole("link", { name: "Users" }).focus();
  await app.page.keyboard.press("Control+k");
  const input = app.page.getByRole("combobox", { name: "Go to" });
  await expect(input).toBeFocused();
  await app.page.keyboard.press("Escape");
  await expect(app.page.getByRole("link", { name: "Users" })).toBeFocused();
  await app.page.keyboard.press("Control+k");
  await expect(input).toBeFocused();
  await app.page.keyboard.type("billing");
  await app.page.keyboard.press("Enter");
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Generate a Bill");
  await app.page.keyboard.press("?");
  await expect(app.page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
});

test("the palette goes to a node by its serial number and looks for a text in the lists", async ({ app }) => {
  await app.signIn();
  await app.open("/home");
  // Keys go to whoever listens when they are pressed.
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
  const input = app.page.getByRole("combobox", { name: "Go to" });
  await app.page.keyboard.press("Control+k");
  await input.fill(oddNodes.everything);
  await app.page.getByRole("option", { name: `Files of node ${oddNodes.everything}` }).click();
  await expect(app.page.getByRole("heading", { level: 1 })).toContainText(`Files of node ${oddNodes.everything}`);
  await app.page.keyboard.press("Control+k");
  await input.fill(oddPlace.customer);
  await app.page.getByRole("option", { name: /on the dashboard$/ }).click();
  await expect(app.page.getByRole("row").filter({ hasText: oddNodes.everything })).toBeVisible();
  await expect(app.page).toHaveURL(/#\/node-dashboard\?filterText=/);
});

test("the palette finds anything by parts of its words, adds, and runs a service", async ({ app }) => {
  await app.signIn("admin");
  await app.open("/home");
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
  const input = app.page.getByRole("combobox", { name: "Go to" });
  const choose = async (text: string, option: string | RegExp) => {
    await expect(app.page.getByRole("dialog")).toHaveCount(0);
    await app.page.keyboard.press("Control+k");
    await input.fill(text);
    const found = app.page.getByRole("option", { name: option });
    await expect(found.and(app.page.locator("[aria-selected=true]"))).toBeVisible();
    await app.page.keyboard.press("Enter");
    await expect(input).toBeHidden();
  };
  await choose("corr dunw", /^Corrugator Main location,/);
  await expect(app.page).toHaveURL(/#\/customers\?filterText=Corrugator/);
  await choose("add node", /^Add node/);
  await expect(app.page.getByRole("dialog", { name: "Add Node" })).toBeVisible();
  await expect(app.page).not.toHaveURL(/add=/);
  await expect(app.page.getByRole("textbox", { name: "Serial Number" })).toBeFocused();
  await app.page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  await choose("run BillingR", /^BillingRoll service/);
  await expect(app.page.getByRole("heading", { level: 1 })).toContainText("Service");
  await expect(app.page.getByRole("dialog")).toHaveCount(0);
  await app.page.keyboard.press("Control+k");
  await input.fill("run BillingR");
  const ran = app.page.waitForResponse(/\/services\/BillingRoll\/run$/);
  await app.page.getByRole("option", { name: "Run BillingRoll" }).click();
  expect((await ran).ok()).toBe(true);
  await expect(input).toBeHidden();
});

test("NAV-03 on a narrow screen the closed menu is out of the keyboard's way; Escape closes the open one", async ({ app }) => {
  await app.page.setViewportSize({ width: 390, height: 844 });
  await app.signIn();
  await app.open("/home");
  await expect(app.page.getByRole("heading", { level: 1 })).toHaveText("Welcome");
  const toggle = app.page.getByRole("button", { name: "Toggle menu" });
  await expect(toggle).toHaveAttribute("aria-expanded", "false");
  await app.page.getByRole("button", { name: /^Signed in as/ }).focus();
  await app.page.keyboard.press("Tab");
  await expect(app.page.getByRole("main").getByRole("link", { name: "Real-time" })).toBeFocused();
  await toggle.click();
  await expect(toggle).toHaveAttribute("aria-expanded", "true");
  await app.page.getByRole("link", { name: "Customers" }).focus();
  await app.page.keyboard.press("Escape");
  await expect(toggle).toBeFocused();
  await expect(toggle).toHaveAttribute("aria-expanded", "false");
});
