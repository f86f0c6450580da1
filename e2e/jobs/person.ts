import type { Locator, Page } from "@playwright/test";
import { axeFindings } from "../axe.ts";
import { expect } from "../fixtures.ts";

export const bothHands = ["mouse", "keyboard"] as const;
export type Hands = (typeof bothHands)[number];

const mostTabs = 150;

/** Someone who does a job, with the mouse or with the keyboard alone, and counts what it takes. */
export class Person {
  /** What was pressed: links, buttons, boxes, options, and fields without the focus. Keys that hands on the keyboard press are no clicks. */
  clicks = 0;
  readonly page: Page;
  readonly hands: Hands;

  constructor(page: Page, hands: Hands) {
    this.page = page;
    this.hands = hands;
  }

  /** Presses a link, a button, a box or an option. */
  async press(target: Locator): Promise<void> {
    this.clicks++;
    if (this.hands === "mouse") return target.click();
    await this.reach(target);
    const isBox = await target.evaluate((element) => element instanceof HTMLInputElement && element.type === "checkbox");
    await this.page.keyboard.press(isBox ? "Space" : "Enter");
  }

  /** Axe finds the same whatever the hands, and Firefox's driver loses the page under a second analysis. */
  async expectAccessible(): Promise<void> {
    if (this.hands === "mouse") expect(await axeFindings(this.page)).toEqual([]);
  }

  async openMenu(entry: string): Promise<void> {
    await this.press(this.page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: entry, exact: true }));
  }

  /** Types into a field in the place of what it says. */
  async type(field: Locator, text: string): Promise<void> {
    await expect(field).toBeVisible();
    if (!(await hasFocus(field))) {
      if (this.hands === "keyboard") await this.reach(field);
      else {
        this.clicks++;
        await field.click();
      }
    }
    await this.page.keyboard.press("ControlOrMeta+a");
    await this.page.keyboard.type(text);
    await expect(field).toHaveValue(text);
  }

  /** The next field of a form: hands that type go there by Tab. */
  async typeNext(field: Locator, text: string): Promise<void> {
    await this.reach(field);
    await this.type(field, text);
  }

  /** Types into the search of a list, which has a key of its own. */
  async search(text: string): Promise<void> {
    const field = this.page.locator("[data-search]");
    await expect(field).toBeVisible();
    await this.page.keyboard.press("/");
    await this.type(field, text);
  }

  /** Sends the form from the field that was typed last. */
  async submit(): Promise<void> {
    await this.page.keyboard.press("Enter");
  }

  /** Chooses from a list that opens beside its field, where its text leaves one option. */
  async choose(field: Locator, text: string, option: string | RegExp = text): Promise<void> {
    const target = this.page.getByRole("option", { name: option }).first();
    await expect(field).toBeVisible();
    const hasField = await hasFocus(field);
    if (this.hands === "mouse") {
      if (!hasField) await this.press(field);
      if (await field.isEditable()) await this.page.keyboard.type(text);
      return this.press(target);
    }
    this.clicks += hasField ? 1 : 2;
    await this.reach(field);
    if (await field.isEditable()) await this.page.keyboard.type(text);
    else await this.page.keyboard.press("ArrowDown");
    await expect(target).toBeVisible();
    // An option is not focused but named by its field.
    for (let step = 0; !(await isChosen(target)); step++) {
      if (step > mostTabs) throw new Error(`${String(target)} cannot be reached with the arrow keys`);
      await this.page.keyboard.press("ArrowDown");
    }
    await this.page.keyboard.press("Enter");
  }

  private async reach(target: Locator): Promise<void> {
    await expect(target).toBeVisible();
    // To find it by its role anew for each key would cost more than all the rest.
    let element = await target.elementHandle();
    for (let step = 0; step < mostTabs; step++) {
      const next = await element?.evaluate(whatLeadsTo);
      if (next === "there") return;
      if (next === undefined || next === "gone") element = await target.elementHandle();
      else await this.page.keyboard.press(next);
    }
    throw new Error(`${String(target)} cannot be reached with the keyboard`);
  }
}

const hasFocus = (target: Locator): Promise<boolean> => target.evaluate((element) => element === document.activeElement);

const isChosen = (option: Locator): Promise<boolean> =>
  option.evaluate((element) => element.hasAttribute("data-combobox-selected") || element.getAttribute("aria-selected") === "true");

/**
 * The key that leads on to the element: Tab or Shift Tab, whichever way it is, so that the focus never leaves the page at its end
 * (Firefox over BiDi sends keys to the page even then, where Enter presses no button). Inside a grid or a tree, whose rows are one
 * stop of the Tab key: an arrow. "there" when it has the focus, "gone" when the page has drawn another one instead.
 */
function whatLeadsTo(element: Element): string {
  if (element === document.activeElement) return "there";
  if (!element.isConnected) return "gone";
  const from = document.activeElement ?? document.body;
  const tab = from.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab";
  const rowOf = (inside: Element) => inside.closest("[role=row][tabindex], [role=treeitem], tr[tabindex]");
  const [target, current] = [rowOf(element), rowOf(from)];
  const area = element.closest("[role=grid], [role=tree]");
  if (!area || !target || !current || !area.contains(current)) return tab;
  // Within a row some are reached with Tab.
  if (target === current) return (element as HTMLElement).tabIndex < 0 ? "ArrowRight" : tab;
  return target.compareDocumentPosition(current) & Node.DOCUMENT_POSITION_FOLLOWING ? "ArrowUp" : "ArrowDown";
}
