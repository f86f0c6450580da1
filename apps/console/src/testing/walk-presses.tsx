import { MantineProvider } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiProvider, forgetSession } from "#api/api-provider.tsx";
import { unsavedEdits } from "#lib/unsaved-edits.ts";
import { theme } from "#ui/theme.ts";
import { App } from "../app.tsx";
import { router } from "../router.tsx";
import { fillAll } from "./fill-fields.ts";
import { judgingServer } from "./judging-server.ts";
import { lineChanges } from "./line-changes.ts";
import { briefOutlineOf, outlineOf } from "./outline.ts";
import { filled, pathHere, placeName, stepsHere, topDialog, withFilled, type Step } from "./screen-steps.ts";
import {
  addresses,
  beginWalk,
  elsewhere,
  endWalk,
  fetchAllParts,
  followRouter,
  screensOf,
  settle,
  signInForAll,
  type Room,
} from "./walk-screens.ts";
import { keepInPage, takeLeft } from "./what-leaves.ts";

const server = judgingServer();

/** What is there: looked at once, until something is done. */
let here: { outline?: string[]; steps?: Step[] } = {};
const outline = (): string[] => (here.outline ??= briefOutlineOf(document.body));
const stepsNow = (): Step[] => (here.steps ??= stepsHere());
const find = (key: string) => stepsNow().find((step) => step.key === key.replace(filled, ""));

async function perform(act: () => Promise<void> | void): Promise<void> {
  await act();
  await settle(server.state.isHeld);
  here = {};
}

let shown: { unmount: () => Promise<void> } | undefined;

function forgetKept(): void {
  forgetSession();
  localStorage.clear();
  for (const cookie of document.cookie.split("; ")) document.cookie = `${cookie.split("=")[0]}=; max-age=0; path=/`;
  server.state.judgement = "done";
  server.release();
}

async function forgetAll(): Promise<void> {
  await shown?.unmount();
  forgetKept();
}

async function openScreen(address: string): Promise<void> {
  await forgetAll();
  router.history.replace(address);
  router.history.flush();
  signInForAll();
  // Else the screen would be drawn with what its address said before. What drew it is gone.
  router.startTransition = async (act) => {
    act();
    return false;
  };
  await router.load();
  followRouter(true);
  await perform(async () => {
    shown = await render(<App call={server.call} styleNonce="" />);
  });
}

/** Leaves the screen and comes back: much cheaper than another app. */
async function comeBack(address: string): Promise<void> {
  await perform(() => router.history.replace(elsewhere));
  if (pathHere() !== `#${elsewhere}`) return;
  forgetKept();
  signInForAll();
  await perform(() => router.history.replace(address));
  leaveFocus();
}

/** Whoever comes back has the focus where the last look began. */
function leaveFocus(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  here = {};
}

const mostLines = 60;

/** Whether Back leads to the address before it. */
const wayThere = { isReplaced: false };
router.history.subscribe(({ action }) => void (wayThere.isReplaced = action.type === "REPLACE"));

async function watch(act: () => Promise<void> | void): Promise<{ lines: string[]; wasJudged: boolean }> {
  const before = outline();
  const from = location.hash;
  const wasHeld = unsavedEdits.exist();
  server.takeAsked();
  server.state.wasJudged = false;
  await takeLeft();
  wayThere.isReplaced = false;
  await perform(act);
  const { wasJudged } = server.state;
  const asked = server.takeAsked();
  const gone = await takeLeft();
  const to = location.hash === from ? [] : [`goes ${wayThere.isReplaced ? "instead " : ""}to ${location.hash}`];
  if (pathHere() !== from.split("?")[0]) return { lines: [...gone, ...to], wasJudged };
  if (unsavedEdits.exist() !== wasHeld) to.push(wasHeld ? "is free to go" : "asks before it goes");
  const changes = lineChanges(before, outline());
  const more = changes.length > mostLines ? [`… ${changes.length - mostLines} more lines`] : [];
  return { lines: [...asked, ...gone, ...to, ...changes.slice(0, mostLines), ...more], wasJudged };
}

/** What a step does; where it changes something, while that is under way, after a refusal and, for what was entered, a conflict too. */
async function record(step: Step, act: Step["act"], reopen: () => Promise<Step["act"] | undefined>): Promise<string[]> {
  server.state.judgement = "refused";
  server.state.isHeld = true;
  const first = await watch(act);
  if (!first.wasJudged) {
    server.release();
    return first.lines;
  }
  const lines = ["meanwhile", ...first.lines];
  const again = find(step.key)?.act;
  if (again) lines.push("pressed again", ...(await watch(again)).lines);
  lines.push("refused", ...(await watch(server.release)).lines);
  const isFilled = step.key.startsWith(filled);
  for (const judgement of isFilled ? (["conflict", "done"] as const) : (["done"] as const)) {
    const dialog = topDialog();
    if (isFilled && dialog) await perform(() => fillAll(dialog, (field) => field.value === ""));
    const next = find(step.key)?.act ?? (await reopen());
    if (!next) break;
    server.state.judgement = judgement;
    lines.push(judgement, ...(await watch(next)).lines);
    const load = find(`${placeName(topDialog())}Load the present values`);
    if (judgement === "conflict" && load) lines.push(load.words, ...(await watch(load.act)).lines);
  }
  return lines;
}

const mostWords = 50;

/** An address with all that was done to come to what is shown. */
const wayOf = (path: readonly Step[]): string =>
  path.map(({ words }) => (words.length > mostWords ? `${words.slice(0, mostWords)}…` : words)).join(" > ");

/** Where the focus is does not change what can be done next. */
const stateHere = (): string => `${location.hash} ${outline().join("\n").replaceAll(" focused", "")}`;
const stateToKeep = (): string => [document.cookie, JSON.stringify(localStorage), stateHere()].join("\n");

/** The way back of whoever only had a look. */
function stepBack(home: string, last: Step): Step["act"] | undefined {
  const dialog = topDialog();
  const around = stepsNow();
  if (dialog)
    return (around.find(({ words }) => words.startsWith('press "Discard')) ?? around.find(({ words }) => words === 'press "Close"'))?.act;
  const escape = around.find(({ words }) => words === 'key "Escape"');
  if (escape) return escape.act;
  if (location.hash !== home) return () => router.history.replace(home.slice(1));
  if (last.undo) return last.undo;
  const again = around.find(({ key }) => key === last.key);
  return again?.element?.ariaExpanded || again?.element?.ariaPressed ? again.act : undefined;
}

const mostStepsBack = 4;

async function goBack(last: Step, home: string, start: string): Promise<boolean> {
  server.state.judgement = "done";
  let before: Step["act"] | undefined;
  for (let steps = 0; steps < mostStepsBack; steps++) {
    if (stateToKeep() === start) return true;
    const act = stepBack(home, last);
    if (!act || act === before) return false;
    before = act;
    await perform(act);
    leaveFocus();
  }
  return stateToKeep() === start;
}

const longLines = 8;

const isSubmit = ({ element }: Step): boolean => element instanceof HTMLButtonElement && element.type === "submit";

/** How what is walked is shown. */
interface Opening {
  anew: () => Promise<void>;
  /** Cheaper, where it leads to the same. */
  again?: () => Promise<void>;
}

const screenAt = (address: string): Opening => ({ anew: () => openScreen(address), again: () => comeBack(address) });

interface Extent {
  mostSteps: number;
  steps?: typeof stepsNow;
  /** Dialogs that open are kept with all that they look like. */
  looksAtDialogs?: boolean;
  /** What was pressed before is not taken back, as long as the screen or the dialog is there: much cheaper. */
  goesOn?: boolean;
}

async function walk({ anew, again }: Opening, { mostSteps, steps = stepsNow, looksAtDialogs, goesOn }: Extent): Promise<string> {
  const lines: string[] = [];
  const seen = new Set<string>();
  const looked = new Set<string>();
  /** What long results were kept at. */
  const results = new Map<string, string>();
  await anew();
  const [home, start, place] = [location.hash, stateToKeep(), placeName(topDialog())];
  const isThere = ({ key }: Step): boolean => placeName(topDialog()) === place && find(key) !== undefined;
  let last: Step | undefined;
  const begin = async (): Promise<void> => {
    if (last && (await goBack(last, home, start))) return;
    if (last && !topDialog()) await again?.();
    if (stateToKeep() !== start) await anew();
  };
  const reach = async (path: readonly Step[]): Promise<void> => {
    await begin();
    last = undefined;
    for (const { key } of path) {
      const act = find(key)?.act;
      if (act) await perform(act);
    }
  };
  /** Closes what is open. */
  const comeTo = async (step: Step): Promise<boolean> => {
    for (let steps = 0; steps < mostStepsBack && !isThere(step); steps++) {
      const act = last && stepBack(home, last);
      if (!act) return false;
      await perform(act);
      leaveFocus();
    }
    return isThere(step);
  };
  const isNew = ({ key }: Step): boolean => !seen.has(key) && Boolean(seen.add(key));
  const paths: Step[][] = steps()
    .filter(isNew)
    .map((step) => [step]);
  let at = "";
  for (const [index, path] of paths.entries()) {
    const way = path.slice(0, -1);
    const step = path.at(-1)!;
    if (at !== wayOf(way) && !(goesOn && way.length === 0 && (await comeTo(step)))) await reach(way);
    const around = stepsNow();
    const [before, from] = [stateHere(), location.hash];
    const act = find(step.key)?.act;
    if (!act) throw new Error(`${wayOf(path)} cannot be done again`);
    const reopen = () => reach(way).then(() => find(step.key)?.act);
    const done = await record(step, act, reopen);
    const result = done.join("\n");
    const known = done.length >= longLines ? results.get(result) : undefined;
    if (known !== undefined) lines.push(wayOf(path), `  as ${known}`);
    else if (done.length > 0 || !step.isKey) lines.push(wayOf(path), ...done.map((line) => `  ${line}`));
    if (known === undefined) results.set(result, wayOf(path));
    const dialog = looksAtDialogs ? topDialog() : undefined;
    if (dialog && !looked.has(placeName(dialog))) {
      looked.add(placeName(dialog));
      lines.push(
        "  looks",
        ...outlineOf(dialog)
          .split("\n")
          .map((line) => `    ${line}`),
      );
    }
    at = stateHere() === before ? wayOf(way) : goesOn ? wayOf(path) : "?";
    last = step;
    // The screen may be drawn anew since the step was found. What is filled can be sent, however deep it is.
    const form = step.form && !step.key.startsWith(filled) ? find(step.key)?.form : undefined;
    if ((path.length >= mostSteps && !form) || pathHere() !== from.split("?")[0]) continue;
    const next = form ? withFilled(form, stepsNow(), new Set(around.map(({ key }) => key))) : steps();
    const further = next.filter(isNew).map((each) => [...path, each]);
    // What is filled is sent at once.
    if (goesOn) paths.splice(index + 1, 0, ...further.filter((each) => isSubmit(each.at(-1)!)));
    else paths.push(...further);
  }
  return lines.join("\n");
}

/** Each test of the file walks screens from the start, and nothing leaves the page. */
export function walkInPage(): void {
  beforeAll(fetchAllParts);
  beforeEach(async () => {
    await beginWalk();
    keepInPage();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await endWalk();
  });
}

/** Does on every screen of a room whatever can be done, and what can be done then, and keeps what is asked for and what is shown. */
export function pressEverything(room: Room, { exceptAt = [] }: { exceptAt?: readonly string[] } = {}): void {
  walkInPage();
  test.each(screensOf(addresses[room]).filter((address) => !exceptAt.includes(address)))("A-63 %s", async (address) => {
    await page.viewport(1440, 900);
    expect(await walk(screenAt(address), { mostSteps: 3, looksAtDialogs: true })).toMatchSnapshot();
  });
}

/** What a dialog asks of its page: to close it, or to open another. */
export type ToPage = (what: string) => void;
type MakeDialog = (toPage: ToPage) => ReactNode;

function Alone({ make }: { make: MakeDialog }) {
  const [asked, setAsked] = useState<string | undefined>();
  return asked === undefined ? make(setAsked) : <p>The page is asked: {asked}</p>;
}

async function openDialog(make: MakeDialog): Promise<void> {
  await forgetAll();
  signInForAll();
  location.hash = "#/";
  followRouter(false);
  await perform(async () => {
    shown = await render(
      <MantineProvider theme={theme}>
        <ApiProvider call={server.call}>
          <Alone make={make} />
        </ApiProvider>
      </MantineProvider>,
    );
  });
}

const stepsOfDialog = () => (topDialog() ? stepsNow().filter(({ isKey }) => !isKey) : []);

/** Only what can be done at first: on screens, and in dialogs without a page below, which are much cheaper. */
export function pressFirst(screens: readonly string[], dialogs: Record<string, MakeDialog>): void {
  walkInPage();
  const walks: [string, Opening, typeof stepsNow][] = [
    ...Object.entries(dialogs).map(([name, make]): (typeof walks)[number] => [name, { anew: () => openDialog(make) }, stepsOfDialog]),
    ...screens.map((address): (typeof walks)[number] => [address, screenAt(address), stepsNow]),
  ];
  test.each(walks)("A-63 %s", async (name, opening, steps) => {
    await page.viewport(1440, 900);
    const presses = await walk(opening, { mostSteps: 1, steps, goesOn: true });
    // Of a screen that is kept with all screens.
    const looks = name in dialogs ? [await opening.anew().then(() => outlineOf(document.body))] : [];
    expect([...looks, presses].join("\n")).toMatchSnapshot();
  });
}
