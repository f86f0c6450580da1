import { maxFindText } from "@busbar/contract/system/find.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiError } from "#lib/api-error.ts";
import { currentSession } from "#features/access/session/current-session.ts";
import { answer } from "#features/telemetry/node-dashboard/fleet.fixture.ts";
import { App, followSession } from "./app.tsx";
import { router } from "./router.tsx";
import { fakeApi, fakeToken } from "./testing/fake-api.ts";

let stopFollowing: () => void;

beforeEach(async () => {
  await page.viewport(1280, 800);
  stopFollowing = followSession();
});
// The router is one for the whole page: it must have arrived at the login page before the next test begins.
afterEach(async () => {
  currentSession.clear();
  location.hash = "#/";
  await vi.waitUntil(() => router.state.resolvedLocation?.pathname === "/");
  stopFollowing();
});

const api = () => fakeApi({ "GET /node-dashboard": () => answer({}, { isFull: true }), "DELETE /sessions": () => ({ revoked: true }) });
const start = (fake = api()) => render(<App call={fake.call} styleNonce="" />);
const signIn = (...roles: string[]) => currentSession.set(fakeToken(), roles);

async function goTo(path: string) {
  location.hash = `#${path}`;
  await expect.poll(() => location.hash).toContain("#/");
}

const roleScreens = [
  ...["services", "errors", "warnings", "debug", "config"].map((name) => [`/system/${name}`, "systemAdministrator"] as const),
  ...["/accounts/billing", "/customersummary", "/subscriptionreport", "/reports/users"].map(
    (path) => [path, "accountsAdministrator"] as const,
  ),
];

describe("who may be where", () => {
  test("LOG-01 without a token every address leads to the login page, with one the login page leads home", async () => {
    const screen = await start();
    for (const path of ["/home", "/node-dashboard?filterText=x", "/nodes/10001/tasks", "/no/such/screen"]) {
      location.hash = `#${path}`;
      await expect.poll(() => location.hash, { message: path }).toBe("#/");
    }
    await expect.element(screen.getByRole("form", { name: "Sign in" })).toBeVisible();
    expect(screen.getByRole("navigation").elements()).toHaveLength(0); // NAV-03
    signIn();
    await expect.poll(() => location.hash).toBe("#/home");
    location.hash = "#/";
    await expect.poll(() => location.hash).toBe("#/home");
  });

  test("SES-04 a session that ends leads to the login page", async () => {
    signIn();
    const screen = await start();
    await goTo("/home");
    await expect.element(screen.getByRole("heading", { name: "Welcome" })).toBeVisible();
    currentSession.clear();
    await expect.poll(() => location.hash).toBe("#/");
    await expect.element(screen.getByRole("form", { name: "Sign in" })).toBeVisible();
  });

  test("LOG-10 the logout route revokes the token, clears the session and leads to the login page", async () => {
    signIn();
    const fake = api();
    await start(fake);
    await goTo("/logout");
    await expect.poll(() => location.hash).toBe("#/");
    expect(fake.asked.map(({ endpoint }) => endpoint)).toContain("DELETE /sessions");
    expect([currentSession.get(), document.cookie.includes("admin-token")]).toEqual([undefined, false]);
  });
});

test.each([
  [{ mustChangePassword: true }, "An administrator set your password. Choose your own first: nothing else is possible before."],
  [{ mustEnrolTwoFactor: true }, "Your account needs two-factor authentication. Set it up first: nothing else is possible before."],
])("SEC-03 who must do something first is notified on every screen and led there: %j", async (must, sentence) => {
  const account = {
    username: "someone",
    firstName: "Some",
    lastName: "Body",
    email: "some@body.example",
    roles: [],
    twoFactor: null,
    mustEnrolTwoFactor: false,
    mustChangePassword: false,
    ...must,
  };
  signIn();
  const screen = await start(fakeApi({ "GET /account": () => account, "GET /account/sessions": () => [] }));
  await goTo("/home");
  await expect.element(screen.getByRole("alert").getByText(sentence)).toBeVisible();
  await screen.getByRole("button", { name: "Open Security" }).click();
  await expect.element(screen.getByRole("dialog", { name: "Security" })).toBeVisible();
});

test("what is typed before the palette's field has the focus is in it, and nowhere else", async () => {
  signIn();
  const screen = await start();
  await goTo("/home");
  await userEvent.keyboard("{Control>}k{/Control}");
  const field = screen.getByRole("combobox", { name: "Go to" });
  await expect.element(field).toHaveFocus();
  const heard: string[] = [];
  const hear = ({ key }: KeyboardEvent) => void heard.push(key);
  document.addEventListener("keydown", hear);
  // The page gets them while the palette is being loaded.
  const typeAhead = (keys: string) => {
    for (const key of keys) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  };
  typeAhead("1/0");
  await expect.element(field).toHaveValue("1/0");
  expect(heard).toEqual([]);
  // A button of a dialog is pressed by Space.
  screen
    .getByRole("dialog")
    .element()
    .dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true }));
  document.removeEventListener("keydown", hear);
  expect(heard).toEqual([" "]);
  await userEvent.keyboard("2");
  await expect.element(field).toHaveValue("1/02");
  // As much as the field takes, and can be asked for.
  typeAhead("x".repeat(maxFindText));
  await expect.element(field).toHaveValue(`1/02${"x".repeat(maxFindText - 4)}`);
  await userEvent.keyboard("{Escape}");
  await expect.element(field).not.toBeInTheDocument();
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(field).toHaveValue("");
});

test("keys of the page are letters in a field; Ctrl K is not, and nothing of it is there while no one is signed in", async () => {
  signIn();
  const screen = await start();
  await goTo("/node-dashboard");
  await expect.element(screen.getByText("0 of 0 nodes")).toBeVisible();
  await userEvent.keyboard("/");
  const search = screen.getByRole("searchbox");
  await expect.element(search).toHaveFocus();
  await userEvent.keyboard("?/");
  await expect.element(search).toHaveValue("?/");
  const field = screen.getByRole("combobox", { name: "Go to" });
  for (const keys of ["{Control>}k{/Control}", "{Meta>}K{/Meta}"]) {
    await userEvent.keyboard(keys);
    await expect.element(field).toBeVisible();
    expect(screen.getByRole("dialog").elements()).toHaveLength(1);
    await userEvent.keyboard("{Escape}");
    await expect.element(field).not.toBeInTheDocument();
    await expect.element(search).toHaveFocus();
  }
  currentSession.clear();
  await expect.element(screen.getByRole("form", { name: "Sign in" })).toBeVisible();
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard("?/{Control>}k{/Control}");
  expect(screen.getByRole("dialog").elements()).toEqual([]);
});

describe("routes", () => {
  test("NAV-08 live activity leads to the feeds without a menu entry", async () => {
    signIn();
    const screen = await start();
    location.hash = "#/system/activity";
    // NAV-08
    await expect.element(screen.getByRole("link", { name: "GP node waveforms" })).toHaveAttribute("href", "#/activities/gpnodewaveforms");
    await expect.element(screen.getByRole("link", { name: "GP node events" })).toHaveAttribute("href", "#/activities/gpnodeevents");
    await expect.element(screen.getByRole("link", { name: "All activities" })).toHaveAttribute("href", "#/activities/allactivities");
  });

  test("NAV-06 without its role a route says that it is not permitted; an unknown one shows the way home", async () => {
    signIn();
    const screen = await start();
    for (const [address, role] of roleScreens) {
      location.hash = `#${address}`;
      await expect.element(screen.getByRole("heading", { name: "You are not permitted to open this page" })).toBeVisible();
      await expect.element(screen.getByText(role, { exact: true })).toBeVisible();
      location.hash = "#/no/such/screen";
      await expect.element(screen.getByRole("heading", { name: "This page does not exist" })).toBeVisible();
    }
    await expect.element(screen.getByRole("link", { name: "Go to Home" })).toHaveAttribute("href", "#/home");
  });

  test("NAV-02 a link to the address already shown rebuilds the screen and requests its data again", async () => {
    signIn();
    const fake = api();
    const screen = await start(fake);
    await goTo("/node-dashboard");
    await expect.element(screen.getByText("0 of 0 nodes")).toBeVisible();
    const fullAnswers = () =>
      fake.asked.filter(({ endpoint, input }) => endpoint === "GET /node-dashboard" && !("since" in (input["query"] as object))).length;
    const asked = fullAnswers();
    await screen.getByRole("link", { name: "Real-time" }).click();
    await expect.poll(fullAnswers).toBe(asked + 1);
    expect(location.hash).toBe("#/node-dashboard");
  });
});

describe("the menu", () => {
  const staff = [
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
  const system = ["Service Management", "Configure Application", "Errors", "Warnings", "Debug"];
  const reports = ["Billing", "Customer Summary", "Subscription Report", "User Report"];

  test.each([
    ["NAV-03 staff", [], [...staff, "Logout"]],
    ["NAV-04 systemAdministrator", ["systemAdministrator"], [...staff, ...system, "Logout"]],
    ["NAV-05 accountsAdministrator", ["accountsAdministrator"], [...staff, ...reports, "Logout"]],
    ["NAV-04 NAV-05 both", ["systemAdministrator", "accountsAdministrator"], [...staff, ...system, ...reports, "Logout"]],
  ])("%s sees their entries", async (_who, roles, entries) => {
    signIn(...roles);
    const screen = await start();
    await goTo("/home");
    const menu = screen.getByRole("navigation", { name: "Main" });
    await expect.element(menu.getByRole("link", { name: "Home" })).toHaveAttribute("aria-current", "page");
    expect(
      menu
        .getByRole("link")
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(entries);
  });

  test("NAV-07 home welcomes and points to Real-time; ENV-04 the top bar has version and environment", async () => {
    signIn();
    const screen = await start();
    await goTo("/home");
    await expect.element(screen.getByRole("main").getByRole("link", { name: "Real-time" })).toHaveAttribute("href", "#/node-dashboard");
    const banner = screen.getByRole("banner");
    await expect.element(banner.getByText("v268")).toBeVisible();
    await expect.element(banner.getByText("Development")).toBeVisible();
  });
});

describe("the top bar", () => {
  test("the person's menu, which is loaded when it is opened, takes the keyboard and gives it back", async () => {
    signIn();
    const screen = await start();
    await goTo("/home");
    const button = screen.getByRole("button", { name: /^Signed in as/ });
    await expect.element(button).toBeVisible();
    (button.element() as HTMLElement).focus();
    await userEvent.keyboard("{Enter}");
    await expect.element(screen.getByRole("menuitem", { name: "Security" })).toBeVisible();
    await expect.element(button).toHaveAttribute("aria-expanded", "true");
    await userEvent.keyboard("{ArrowDown}");
    await expect.element(screen.getByRole("menuitem", { name: "Security" })).toHaveFocus();
    await userEvent.keyboard("{Escape}");
    await expect.element(button).toHaveFocus();
    await expect.element(button).toHaveAttribute("aria-expanded", "false");
  });

  test("A-33 an icon shows its words once", async () => {
    signIn();
    const screen = await start();
    await goTo("/home");
    await screen.getByRole("button", { name: /^System theme/ }).hover();
    await expect.element(screen.getByText(/^System theme/)).toBeVisible();
    await screen.getByRole("button", { name: "Toggle menu" }).click();
    await screen.getByRole("link", { name: "Customers" }).hover();
    await expect.element(screen.getByText("Customers")).toBeVisible();
    expect(document.querySelectorAll("[role=tooltip]")).toHaveLength(0);
  });
});

describe("the login page", () => {
  const open = async (login: () => unknown) => {
    const fake = fakeApi({ ...api().answers, "POST /sessions/administrator": login });
    const screen = await start(fake);
    const fill = async (username: string, password: string) => {
      await screen.getByRole("textbox", { name: "Username" }).fill(username);
      await screen.getByLabelText("Password", { exact: false }).first().fill(password);
      await screen.getByRole("button", { name: "Sign in" }).click();
    };
    return { fake, screen, fill };
  };
  const sent = (fake: ReturnType<typeof fakeApi>) =>
    fake.asked.filter(({ endpoint }) => endpoint.startsWith("POST")).map(({ input }) => input["body"]);

  test("LOG-02 both fields are required; LOG-06 an unfinished e-mail is not sent", async () => {
    const { fake, screen, fill } = await open(() => undefined);
    await fill("", "");
    await expect.element(screen.getByText("Username is required")).toBeVisible();
    await expect.element(screen.getByText("Password is required")).toBeVisible();
    await fill("robin@nowhere", "secret");
    await expect.element(screen.getByText("This is neither a username nor a complete e-mail address")).toBeVisible();
    expect(sent(fake)).toEqual([]);
    await expect.element(screen.getByText("Console v268, Development")).toBeVisible();
  });

  test("LOG-05 says that it authenticates, then goes home; LOG-07 LOG-09 what is sent and remembered", async () => {
    document.cookie = "admin-username=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/";
    const answered = Promise.withResolvers<unknown>();
    const { fake, screen, fill } = await open(() => answered.promise);
    await fill("robin", "secret");
    await expect.element(screen.getByText("Authenticating, please wait...")).toBeVisible();
    await expect.element(screen.getByRole("button", { name: "Sign in" })).toBeDisabled();
    answered.resolve({ token: fakeToken(), roles: [] });
    await expect.poll(() => location.hash).toBe("#/home");
    const body = { username: "robin", email: "", password: "secret", sendEmail: false, duration: 86_400, newDevice: true, v2Server: false };
    expect(sent(fake)).toEqual([body]);
    expect(document.cookie).toContain("admin-username=robin");

    currentSession.clear();
    await expect.element(screen.getByRole("textbox", { name: "Username" })).toHaveValue("robin");
    await fill("robin", "secret");
    await expect.poll(() => sent(fake)).toEqual([body, { ...body, newDevice: false }]);
    // Else the answer would sign in the person of the next test.
    await expect.poll(() => currentSession.get()).toBeDefined();
  });

  test.each([
    ["a refusal", new ApiError(401, "LOGIN_FAILED", "Username or password is incorrect"), "Username or password is incorrect."],
    [
      "no server",
      new ApiError(0, "NETWORK", "Unable to connect to server. Please try again later."),
      "Unable to connect to server. Please try again later.",
    ],
  ])("LOG-08 %s is said in its words", async (_what, error, words) => {
    const { screen, fill } = await open(() => Promise.reject(error));
    await fill("robin@busbar.example", "secret");
    await expect.element(screen.getByRole("alert")).toHaveTextContent(words);
    expect(location.hash).toBe("#/");
  });

  test("LOG-03 LOG-04 the server flags are hidden by default; on localhost a login server is offered", async () => {
    const { screen } = await open(() => undefined);
    await expect.element(screen.getByRole("combobox", { name: "Login server" })).toHaveValue("This server");
    expect(screen.getByRole("checkbox").elements()).toHaveLength(0);
  });
});
