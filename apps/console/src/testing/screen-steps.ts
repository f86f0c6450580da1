import { fieldName, fieldsIn, fill, fillAll, restoring } from "./fill-fields.ts";
import { nameOf } from "./outline.ts";

/** Something that can be done on a screen. */
export interface Step {
  /** The same for what does the same, such as the buttons of a row and of the next row. */
  key: string;
  words: string;
  /** What is pressed. */
  element?: HTMLElement;
  act: () => Promise<void> | void;
  /** Most keys mean nothing at most places. */
  isKey?: true;
  /** The form that it fills: what follows is what can then be sent. */
  form?: Element;
  /** Enters again what was there. */
  undo?: () => Promise<void> | void;
}

const isSeen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });

const dialogsOpen = () => [...document.querySelectorAll<HTMLElement>("[role=dialog][aria-modal=true]")].filter(isSeen);
export const topDialog = () =>
  dialogsOpen()
    .toSorted((a, b) => layerOf(a) - layerOf(b))
    .at(-1);
const layerOf = (dialog: Element): number => Math.max(0, ...ancestorsOf(dialog).map((each) => Number(getComputedStyle(each).zIndex) || 0));
const ancestorsOf = (element: Element): Element[] => (element.parentElement ? [element, ...ancestorsOf(element.parentElement)] : [element]);

/** Names are different in each row: what is done there is said before their number. */
const kindOf = (name: string): string => name.replace(/\d.*$/s, "#");
const wordsOf = (element: Element): string => (nameOf(element) || element.textContent).replaceAll(/\s+/g, " ").trim();
const rowOf = (element: Element) => element.closest("tr, li, dd, [role=row], [role=treeitem], article");

export const pathHere = (): string => location.hash.split("?")[0]!;
export const placeName = (dialog: Element | undefined): string =>
  `${dialog ? kindOf(dialog.querySelector("h2")?.textContent ?? nameOf(dialog)) : pathHere()}: `;

/** What every screen has is pressed on one. */
const isFrameShown = () => pathHere() === "#/home";
const frame = () => (isFrameShown() ? ".skip-link" : "header *, nav[aria-label=Main] *, .skip-link");

const isOfEveryScreen = (element: HTMLElement): boolean => !isFrameShown() && element.textContent === "Open Security";

/** A link to another address is kept with the screen. */
const isPressable = (element: HTMLElement): boolean =>
  isSeen(element) &&
  !isOfEveryScreen(element) &&
  !element.matches(`:disabled, [aria-disabled=true], ${frame()}`) &&
  (element.localName !== "a" || element.getAttribute("href")?.split("?")[0] === pathHere());

const pressables = "button, summary, a[href], [role=button], [role=menuitem], [role=option]";

function pressStep(element: HTMLElement, place: string): Step {
  const words = wordsOf(element);
  const row = rowOf(element);
  const isOption = element.role === "option";
  const isOfList = element.role === "menuitem" || element.ariaHasPopup !== null;
  const name = isOfList ? kindOf(words) : words.replace(/ [▲▼]$/, "");
  const key = `${place}${isOption ? "an option" : row ? `${row.localName} ${kindOf(words)}` : name}`;
  const act = () => {
    element.focus();
    element.click();
  };
  return { key, words: `press ${JSON.stringify(words)}`, element, act };
}

/** At a row, at plots, or at what has the focus. */
function keyStep(key: string, row: HTMLElement | undefined, place: string, where = row ? " at a row" : ""): Step {
  const state = row ? `${row.ariaLevel ?? ""} ${row.ariaExpanded ?? ""}` : "";
  const act = () => {
    row?.focus();
    const event = new KeyboardEvent("keydown", { key, code: key, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(event);
  };
  return { key: `${place}key ${key} ${state}${where}`, words: `key ${JSON.stringify(key)}${where}`, act, isKey: true };
}

const pageKeys = (): string[] => [
  ...(isFrameShown() ? ["?", "/"] : document.querySelector("[data-search]") ? ["/"] : []),
  "n",
  "p",
  "t",
  "0",
];

const keysOfPlots = ["+", "PageUp", "PageDown", "-", "ArrowLeft", "ArrowRight", "Escape", "Home"];

const formOf = (field: Element) => field.closest("form, [role=dialog]");

export function stepsHere(): Step[] {
  const dialog = topDialog();
  const place = placeName(dialog);
  const scope = dialog ?? document.body;
  const presses = [...scope.querySelectorAll<HTMLElement>(pressables)].filter(isPressable).map((each) => pressStep(each, place));
  const fields = fieldsIn(scope).filter((field) => !field.matches(frame()));
  const forms = new Set(fields.map(formOf).filter((form) => form !== null));
  const fills = [...forms].map((form): Step => {
    const name = nameOf(form);
    return {
      key: `${place}fill ${kindOf(name)}`,
      words: `fill ${name === "" || form === dialog ? "the form" : JSON.stringify(name)}`,
      act: () => fillAll(form, (field) => formOf(field) === form),
      form,
    };
  });
  const alone = fields.filter((field) => !formOf(field));
  const entries = alone.map((field, index): Step => {
    const name = fieldName(field);
    const row = rowOf(field);
    const key = `${place}enter ${row ? kindOf(name) : name}`;
    return { key, words: `enter ${JSON.stringify(name)}`, act: () => fill(field, index), undo: restoring(field) };
  });
  const rows = [...scope.querySelectorAll<HTMLElement>("[role=treeitem], [role=grid] [data-row]")].filter(isSeen);
  const rowKeys = rows.flatMap((row) => ["Enter", " ", "ArrowRight"].map((key) => keyStep(key, row, place)));
  // Plots that take keys say so in their name.
  const plots = [...scope.querySelectorAll<HTMLElement>("section[tabindex='0'][aria-label*='Page Up']")].filter(isSeen);
  const plotKeys = plots.flatMap((each) => keysOfPlots.map((key) => keyStep(key, each, place, " at the plots")));
  const opener = document.querySelector("[aria-expanded=true][aria-haspopup]");
  const keysOfPage = dialog || opener ? [] : pageKeys().map((key) => keyStep(key, undefined, place));
  const escape = dialog || opener ? [keyStep("Escape", undefined, place + (opener ? wordsOf(opener) : ""))] : [];
  return secondOfEach([...escape, ...presses, ...entries, ...fills, ...rowKeys, ...plotKeys, ...keysOfPage]);
}

/** Of what does the same the second one: the first is what a mistake would take as well. */
function secondOfEach(steps: readonly Step[]): Step[] {
  const kinds = Map.groupBy(steps, ({ key }) => key);
  return [...kinds.values()].map(([first, second]) => second ?? first!);
}

export const filled = "filled ";

/** What can be done once a form is filled: what sends it, what could not be pressed before, and what would throw it away. */
export function withFilled(form: Element, steps: readonly Step[], before: ReadonlySet<string>): Step[] {
  return steps.flatMap((step) => {
    const { element } = step;
    const isSubmit = element instanceof HTMLButtonElement && element.type === "submit" && form.contains(element);
    const isDue = isSubmit || (element && (!before.has(step.key) || /^(?:Close|Cancel)$/.test(wordsOf(element))));
    return isDue ? [{ ...step, key: `${filled}${step.key}`, form }] : [];
  });
}
