import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { currentSession } from "#features/access/session/current-session.ts";
import { sampleUser } from "#features/access/users/users.fixture.ts";
import { unsavedEdits } from "#lib/unsaved-edits.ts";
import { App, followSession } from "./app.tsx";
import { router } from "./router.tsx";
import { fakeApi, fakeToken } from "./testing/fake-api.ts";

let stopFollowing: () => void;
beforeEach(async () => {
  await page.viewport(1280, 800);
  stopFollowing = followSession();
});
afterEach(async () => {
  currentSession.clear();
  location.hash = "#/";
  await vi.waitUntil(() => router.state.resolvedLocation?.pathname === "/");
  stopFollowing();
});

const customer = {
  id: 1,
  code: "works",
  name: "Works",
  type: "Revenue",
  enableDataTransfer: false,
  requireDivisionFacilityLocation: false,
  emailDomains: [],
  revision: 1,
  facilities: [],
  decommissionedNodes: [],
};
const api = () =>
  fakeApi({
    "GET /customers": () => [customer],
    "POST /customers": () => ({ ...customer, id: 2, code: "other", name: "Other" }),
    "GET /customers/names": () => [{ id: 1, code: "works", name: "Works" }],
    "GET /users": () => [sampleUser(1, { customerCode: "works" })],
    "PATCH /users/{id}": () => sampleUser(1, { customerCode: "works", firstName: "Ines", revision: 2 }),
    "GET /system/debug": () => ({ debugs: {} }),
    "GET /system/config": () => ({ Pump: setting("slow"), Fan: setting("off") }),
    "GET /account": () => account,
    "GET /account/sessions": () => [],
  });
const setting = (value: string) => ({ value, type: "text", description: "A setting", isSecret: false, isDefault: true, revision: 1 });
const account = {
  username: "robin",
  firstName: "Robin",
  lastName: "Testerly",
  email: "robin@works.example",
  roles: [],
  twoFactor: null,
  mustEnrolTwoFactor: false,
  mustChangePassword: false,
};

async function openHome() {
  currentSession.set(fakeToken(), ["systemAdministrator"]);
  const screen = await render(<App call={api().call} styleNonce="" />);
  location.hash = "#/home";
  await expect.element(screen.getByRole("heading", { name: "Welcome" })).toBeVisible();
  return { screen, question: screen.getByRole("dialog", { name: "Discard your changes?" }) };
}

async function openForm(kind: "dialog" | "page") {
  const { screen, question } = await openHome();
  location.hash = kind === "dialog" ? "#/customers" : "#/system/debug";
  if (kind === "dialog") await screen.getByRole("button", { name: "Add customer" }).click();
  const field = screen.getByRole("textbox", { name: kind === "dialog" ? "Name" : "Message" });
  await expect.element(field).toBeVisible();
  return { screen, field, question };
}
const keep = (question: ReturnType<typeof page.getByRole>) => question.getByRole("button", { name: "Keep editing" }).click();
const discard = (question: ReturnType<typeof page.getByRole>) => question.getByRole("button", { name: "Discard changes" }).click();

/** Whether the browser would ask before the tab closes. */
const isTabHeld = () => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));

describe("A-09 what is not saved", () => {
  test("is not thrown away by the button of a dialog, and not by Escape; what was changed back is nothing", async () => {
    const { screen, field, question } = await openForm("dialog");
    const close = screen.getByRole("dialog").getByRole("button", { name: "Close" }).first();
    await field.fill("Mill");
    await expect.poll(() => unsavedEdits.exist()).toBe(true);
    await userEvent.keyboard("{Escape}");
    await expect.element(field).toBeVisible();
    await close.click();
    await expect.element(question.getByRole("button", { name: "Keep editing" })).toHaveFocus();
    await keep(question);
    await expect.element(question).not.toBeInTheDocument();
    await expect.element(field).toHaveValue("Mill");
    await close.click();
    await discard(question);
    await expect.element(field).not.toBeInTheDocument();
    expect(unsavedEdits.exist()).toBe(false);

    await screen.getByRole("button", { name: "Add customer" }).click();
    await field.fill("Mill");
    await field.fill("");
    await expect.poll(() => unsavedEdits.exist()).toBe(false);
    expect(isTabHeld()).toBe(false);
    await close.click();
    await expect.element(field).not.toBeInTheDocument();
  });

  test("is saved and then free to go", async () => {
    const { screen, field } = await openForm("dialog");
    await screen.getByRole("textbox", { name: "Code" }).fill("other");
    await field.fill("Other");
    await screen.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => screen.getByRole("dialog").element().textContent).toContain("Customer saved successfully");
    expect(isTabHeld()).toBe(false);
    await screen.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
    await expect.element(field).not.toBeInTheDocument();
  });

  test("is asked about when the tab closes, and not when nothing changed or the session is over", async () => {
    const { field } = await openForm("page");
    expect(isTabHeld()).toBe(false);
    await field.fill("Belt replaced");
    await expect.poll(isTabHeld).toBe(true);
    await field.fill("");
    await expect.poll(isTabHeld).toBe(false);
    await field.fill("Belt replaced");
    await expect.poll(isTabHeld).toBe(true);
    currentSession.clear();
    expect(isTabHeld()).toBe(false);
    await expect.poll(() => location.hash).toBe("#/");
  });

  const ways: Record<string, (screen: Awaited<ReturnType<typeof openForm>>["screen"]) => unknown> = {
    "a link of the menu": (screen) => screen.getByRole("link", { name: "Home" }).click(),
    Back: () => history.back(),
    "the palette": async (screen) => {
      await userEvent.keyboard("{Control>}k{/Control}");
      await screen.getByPlaceholder("Screen, serial number or name…").fill("Home");
      await userEvent.keyboard("{Enter}");
    },
    "a typed address": () => {
      location.hash = "#/home";
    },
    "the link of the screen itself": (screen) => screen.getByRole("link", { name: "Debug" }).click(),
  };
  test.each(Object.entries(ways))("is not thrown away by %s", async (name, go) => {
    const { screen, field, question } = await openForm("page");
    await field.fill("Belt replaced");
    await expect.poll(() => unsavedEdits.exist()).toBe(true);
    await go(screen);
    await keep(question);
    await expect.poll(() => location.hash).toBe("#/system/debug");
    await expect.element(field).toHaveValue("Belt replaced");
    await go(screen);
    await discard(question);
    await expect.poll(() => unsavedEdits.exist()).toBe(false);
    const [shown, text] =
      name === "the link of the screen itself" ? [field, ""] : [screen.getByRole("heading", { name: "Welcome" }), "Welcome"];
    await expect.element(shown).toBeVisible();
    await expect.poll(() => (shown.element() as HTMLTextAreaElement).value ?? shown.element().textContent).toBe(text);
    await expect.element(question).not.toBeInTheDocument();
    if (name !== "the palette") return;
    // Where the reader was is one step back.
    history.back();
    await expect.poll(() => location.hash).toBe("#/system/debug");
  });

  test("is asked about once by a dialog that has an address of its own, and not after it was saved", async () => {
    const { screen, question } = await openHome();
    location.hash = "#/users/1";
    const dialog = screen.getByRole("dialog", { name: "Edit User user1" });
    const close = dialog.getByRole("button", { name: "Close" }).first();
    await dialog.getByRole("textbox", { name: "First Name" }).fill("Ines");
    await expect.poll(() => unsavedEdits.exist()).toBe(true);
    await close.click();
    await keep(question);
    expect(location.hash).toBe("#/users/1");
    await close.click();
    await discard(question);
    await expect.poll(() => location.hash).toBe("#/users");
    await expect.element(dialog).not.toBeInTheDocument();
    await expect.element(question).not.toBeInTheDocument();

    location.hash = "#/users/1";
    await dialog.getByRole("textbox", { name: "First Name" }).fill("Ines");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect.element(dialog.getByText(/^User saved successfully/)).toBeVisible();
    await close.click();
    await expect.poll(() => location.hash).toBe("#/users");
    await expect.element(question).not.toBeInTheDocument();
  });

  test("is not thrown away by Cancel, which asks nothing while nothing was entered", async () => {
    const { screen, question } = await openHome();
    await screen.getByRole("button", { name: /Robin Testerly/ }).click();
    await screen.getByRole("menuitem", { name: "Security" }).click();
    const cancel = screen.getByRole("button", { name: "Cancel" });
    const begin = screen.getByRole("button", { name: "Set up two-factor authentication" });
    await begin.click();
    await cancel.click();
    await begin.click();
    const password = screen.getByLabelText("Your password");
    await password.fill("Granite-Willow8");
    await cancel.click();
    await keep(question);
    await expect.element(password).toHaveValue("Granite-Willow8");
    await cancel.click();
    await discard(question);
    await expect.element(password).not.toBeInTheDocument();
  });

  test("is asked about on the page of settings, also where the search hides it and not when typed back", async () => {
    const { screen, question } = await openHome();
    location.hash = "#/system/config";
    const pump = screen.getByRole("textbox", { name: "Pump" });
    await pump.fill("fast");
    await screen.getByRole("searchbox", { name: "Search settings" }).fill("fan");
    await expect.element(pump).not.toBeInTheDocument();
    await screen.getByRole("link", { name: "Home" }).click();
    await keep(question);
    expect(location.hash).toBe("#/system/config");
    await screen.getByRole("searchbox", { name: "Search settings" }).fill("");
    await pump.fill("slow");
    await expect.poll(() => unsavedEdits.exist()).toBe(false);
    await screen.getByRole("link", { name: "Home" }).click();
    await expect.element(screen.getByRole("heading", { name: "Welcome" })).toBeVisible();
  });
});

describe("after a session that ended by itself", () => {
  const ended = "Your session has ended. Please sign in again";
  const signInAgain = () => page.getByRole("dialog", { name: "Sign in again" });
  const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true });

  test.each(["page", "dialog"] as const)(
    "what is typed in a %s is there again for the same person, and hidden until then",
    async (kind) => {
      const { field } = await openForm(kind);
      await field.fill("Belt replaced");
      await expect.poll(() => unsavedEdits.exist()).toBe(true);
      const [address, input] = [location.hash, field.element()];
      currentSession.clear(ended);
      await expect.element(signInAgain().getByText(ended)).toBeVisible();
      await expect.element(signInAgain().getByText(/is kept for robin while this page stays open/)).toBeVisible();
      // From the second one on a browser closes a dialog without asking it.
      for (const _press of [1, 2, 3]) {
        await userEvent.keyboard("{Escape}");
        await expect.element(signInAgain()).toBeVisible();
      }
      expect([isSeen(input), location.hash]).toEqual([false, address]);
      // The screen below listens to keys at the document.
      const heard: string[] = [];
      const hear = ({ key }: KeyboardEvent) => void heard.push(key);
      document.addEventListener("keydown", hear);
      signInAgain().getByRole("button", { name: "Discard it" }).element().focus();
      await userEvent.keyboard("{Control>}k{/Control}?/");
      document.removeEventListener("keydown", hear);
      expect(heard).toEqual([]);
      currentSession.set(fakeToken(), ["systemAdministrator"]);
      await expect.element(signInAgain()).not.toBeInTheDocument();
      await expect.element(field).toBeVisible();
      await expect.element(field).toHaveValue("Belt replaced");
      expect([input.isConnected, location.hash]).toEqual([true, address]);
    },
  );

  test("another person who signs in sees nothing of it", async () => {
    const { screen, field } = await openForm("page");
    await field.fill("Belt replaced");
    await expect.poll(() => unsavedEdits.exist()).toBe(true);
    const input = field.element();
    currentSession.clear(ended);
    await expect.element(signInAgain()).toBeVisible();
    currentSession.set(fakeToken(86_400, "kim"), ["systemAdministrator"]);
    await expect.element(screen.getByRole("heading", { name: "Welcome" })).toBeVisible();
    expect([input.isConnected, location.hash, unsavedEdits.exist()]).toEqual([false, "#/home", false]);
    location.hash = "#/system/debug";
    await expect.element(field).toHaveValue("");
  });

  test("it is given up by Discard it, and by a typed address", async () => {
    const { screen, field } = await openForm("page");
    for (const give of [
      () => signInAgain().getByRole("button", { name: "Discard it" }).click(),
      async () => {
        location.hash = "#/home";
      },
    ]) {
      await field.fill("Belt replaced");
      await expect.poll(() => unsavedEdits.exist()).toBe(true);
      currentSession.clear(ended);
      await expect.element(signInAgain()).toBeVisible();
      await give();
      await expect.poll(() => location.hash).toBe("#/");
      await expect.element(signInAgain()).not.toBeInTheDocument();
      await expect.element(screen.getByRole("button", { name: "Sign in" })).toBeVisible();
      currentSession.set(fakeToken(), ["systemAdministrator"]);
      await expect.poll(() => location.hash).not.toBe("#/");
      location.hash = "#/system/debug";
      await expect.element(field).toHaveValue("");
    }
  });

  test("LOG-05 the same person goes on from Home to the address that was left; who signed out, and anyone else, stays there", async () => {
    const { screen } = await openHome();
    const welcome = screen.getByRole("heading", { name: "Welcome" });
    const leave = async (why?: string) => {
      location.hash = "#/system/debug";
      await expect.element(screen.getByRole("textbox", { name: "Message" })).toBeVisible();
      currentSession.clear(why);
      await expect.poll(() => location.hash).toBe("#/");
    };
    await leave(ended);
    currentSession.set(fakeToken(), ["systemAdministrator"]);
    await expect.element(screen.getByRole("textbox", { name: "Message" })).toBeVisible();
    expect(location.hash).toBe("#/system/debug");
    history.back();
    await expect.element(welcome).toBeVisible();
    for (const [why, username] of [
      [undefined, "robin"],
      [ended, "kim"],
    ] as const) {
      await leave(why);
      currentSession.set(fakeToken(86_400, username), ["systemAdministrator"]);
      await expect.element(welcome).toBeVisible();
      expect(location.hash).toBe("#/home");
    }
  });
});
