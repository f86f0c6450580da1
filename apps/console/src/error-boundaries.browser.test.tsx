import type { NewConsoleError } from "@busbar/contract/system/system-messages.ts";
import type { AnyRoute } from "@tanstack/react-router";
import { lazy, useState } from "react";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { MantineProvider } from "@mantine/core";
import { currentSession } from "#features/access/session/current-session.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { lazyScreen } from "#lib/lazy-screen.ts";
import { Dialog } from "#ui/dialog.tsx";
import { ErrorFrame, SendReportContext } from "#ui/error-frame.tsx";
import { DialogSlot, ProgramPart } from "#ui/program-part.tsx";
import { theme } from "#ui/theme.ts";
import { App, followSession } from "./app.tsx";
import { router } from "./router.tsx";
import { fakeApi, fakeToken } from "./testing/fake-api.ts";

let stopFollowing: () => void;
beforeEach(async () => {
  await page.viewport(1280, 800);
  stopFollowing = followSession();
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(async () => {
  currentSession.clear();
  location.hash = "#/";
  // Undefined as long as no test has shown the console.
  await vi.waitUntil(() => (router.state.resolvedLocation?.pathname ?? "/") === "/");
  stopFollowing();
  vi.restoreAllMocks();
});

const idOf = (frame: Element) => /Error id ([0-9A-F]{8})/.exec(frame.textContent)?.[1];

// Whoever is signed in goes past the first, and the last signs out.
const screens = (Object.values(router.routesByPath) as AnyRoute[]).filter(({ fullPath }) => !["/", "/logout"].includes(fullPath));

test("A-03 every screen that fails leaves the menu alive, has an id that the server gets too, and is gone after going elsewhere", async () => {
  expect(screens.length).toBeGreaterThan(25);
  const reports: NewConsoleError[] = [];
  const fake = fakeApi({
    "POST /console-errors": ({ body }) => {
      reports.push(body as NewConsoleError);
      return { id: reports.length };
    },
  });
  currentSession.set(fakeToken(), ["systemAdministrator", "accountsAdministrator"]);
  const screen = await render(<App call={fake.call} styleNonce="" />);
  const elsewhere = async () => {
    location.hash = "#/no/such/screen";
    await expect.element(screen.getByRole("heading", { name: "This page does not exist" })).toBeVisible();
  };
  await elsewhere();
  for (const route of screens) {
    const { component } = route.options;
    const path = route.fullPath.replaceAll(/\$\w+/g, "10001");
    route.options.component = () => {
      throw new TypeError(`${route.fullPath} is broken`);
    };
    location.hash = `#${path}`;
    const frame = screen.getByRole("alert").filter({ hasText: "This screen could not be shown" });
    await expect.element(frame, { message: path }).toBeVisible();
    await expect.element(frame.getByText("It is in the server's errors too.")).toBeVisible();
    expect(reports.at(-1)).toMatchObject({ id: idOf(frame.element()), screen: path, message: `TypeError: ${route.fullPath} is broken` });
    await expect.element(screen.getByRole("navigation", { name: "Main" })).toBeVisible();
    route.options.component = component;
    await elsewhere();
    expect(screen.getByText("could not be shown").elements()).toHaveLength(0);
  }
  expect(new Set(reports.map(({ id }) => id)).size).toBe(screens.length);
});

// As a browser says that a part of the program is not there.
const gone = new TypeError("Failed to fetch dynamically imported module: http://127.0.0.1/admin/assets/gone.js");

test("A-03 a screen whose program part cannot be loaded says so, keeps the menu, and opens once it can", async () => {
  const route = screens.find(({ fullPath }) => fullPath === "/downloads")!;
  const { component } = route.options;
  onTestFinished(() => void (route.options.component = component));
  let isAway = true;
  const Downloads = () => <h1>Loaded after all</h1>;
  route.options.component = lazyScreen(
    () => (isAway ? Promise.reject<{ Downloads: typeof Downloads }>(gone) : Promise.resolve({ Downloads })),
    "Downloads",
  );
  currentSession.set(fakeToken(), []);
  const screen = await render(<App call={fakeApi({}).call} styleNonce="" />);
  location.hash = "#/downloads";
  // The router's own lazy screens reload the page here, which ends this test.
  await expect.element(screen.getByText("A part of the program could not be loaded.", { exact: false })).toBeVisible();
  await expect.element(screen.getByText("The report did not reach the server.")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Reload the page" })).toBeVisible();
  await expect.element(screen.getByRole("navigation", { name: "Main" })).toBeVisible();
  isAway = false;
  location.hash = "#/no/such/screen";
  await expect.element(screen.getByRole("heading", { name: "This page does not exist" })).toBeVisible();
  location.hash = "#/downloads";
  await expect.element(screen.getByRole("heading", { name: "Loaded after all" })).toBeVisible();
});

test("the Security dialog closes with the screen where it was opened", async () => {
  currentSession.set(fakeToken(), []);
  const screen = await render(<App call={fakeApi({}).call} styleNonce="" />);
  location.hash = "#/no/such/screen";
  await expect.element(screen.getByRole("heading", { name: "This page does not exist" })).toBeVisible();
  await screen.getByRole("button", { name: /^Signed in as/ }).click();
  await screen.getByRole("menuitem", { name: "Security" }).click();
  const dialog = screen.getByRole("dialog", { name: "Security" });
  await expect.element(dialog).toBeVisible();
  location.hash = "#/home";
  await expect.element(dialog).not.toBeInTheDocument();
});

const GoneDialog = lazy(() => Promise.reject<{ default: () => null }>(gone));
function BrokenDialog({ onClose }: { onClose: () => void }): never {
  throw new Error(`Broken before its frame ${typeof onClose}`);
}
function BrokenInside({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Inside" onClose={onClose}>
      <BrokenDialog onClose={onClose} />
    </Dialog>
  );
}
/** Of the network, for what is loaded when it is opened. */
let isNetworkAway = true;
let loads = 0;
const LateDialog = lazyPart(() => {
  loads++;
  return isNetworkAway ? Promise.reject<{ WholeDialog: typeof WholeDialog }>(gone) : Promise.resolve({ WholeDialog });
}, "WholeDialog");
const dialogs = { gone: GoneDialog, late: LateDialog, broken: BrokenDialog, inside: BrokenInside, whole: WholeDialog };

function WholeDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Whole" onClose={onClose}>
      Works
    </Dialog>
  );
}

function PageOfDialogs() {
  const [name, setName] = useState<keyof typeof dialogs | undefined>();
  const Opened = name && dialogs[name];
  return (
    <MantineProvider theme={theme}>
      {(Object.keys(dialogs) as (keyof typeof dialogs)[]).map((each) => (
        <button key={each} onClick={() => setName(each)}>
          {each}
        </button>
      ))}
      <DialogSlot onClose={() => setName(undefined)}>{Opened && <Opened onClose={() => setName(undefined)} />}</DialogSlot>
      <ProgramPart>
        <FailingPlot />
      </ProgramPart>
    </MantineProvider>
  );
}
function FailingPlot(): never {
  throw new Error("No plot");
}

test("A-03 a dialog that fails, or that cannot be loaded, is closed, and its page goes on", async () => {
  const screen = await render(<PageOfDialogs />);
  await expect.element(screen.getByText("This part could not be shown")).toBeVisible();
  for (const name of ["gone", "broken", "inside"]) {
    await screen.getByRole("button", { name }).click();
    const dialog = screen.getByRole("dialog", { name: "Error" });
    await expect.element(dialog.getByText("This dialog could not be shown")).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await screen.getByRole("button", { name: "whole" }).click();
    await expect.element(screen.getByRole("dialog", { name: "Whole" })).toBeVisible();
    await screen.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  }
});

test("A-03 a dialog that could not be loaded opens once the network is back, and is not loaded again by itself", async () => {
  const screen = await render(<PageOfDialogs />);
  const open = () => screen.getByRole("button", { name: "late" }).click();
  const failure = screen.getByRole("dialog", { name: "Error" });
  for (const times of [1, 2]) {
    await open();
    await expect.element(failure.getByText("This dialog could not be shown")).toBeVisible();
    expect(loads).toBe(times);
    await failure.getByRole("button", { name: "Close" }).click();
    await expect.element(failure).not.toBeInTheDocument();
  }
  isNetworkAway = false;
  await open();
  await expect.element(screen.getByRole("dialog", { name: "Whole" })).toBeVisible();
});

test("A-63 a report that did not reach the server is sent again when the failure is shown again, and one that did is not", async () => {
  let isAway = true;
  let sends = 0;
  const send = async () => {
    sends++;
    if (isAway) throw new Error("away");
  };
  const error = new Error("A failure of this test alone");
  const frame = (key: number) => (
    <MantineProvider theme={theme}>
      <SendReportContext value={send}>
        <ErrorFrame key={key} what="part" error={error} />
      </SendReportContext>
    </MantineProvider>
  );
  const screen = await render(frame(1));
  await expect.element(screen.getByText("The report did not reach the server.")).toBeVisible();
  isAway = false;
  await screen.rerender(frame(2));
  await expect.element(screen.getByText("It is in the server's errors too.")).toBeVisible();
  await screen.rerender(frame(3));
  await expect.element(screen.getByText("It is in the server's errors too.")).toBeVisible();
  expect(sends).toBe(2);
});
