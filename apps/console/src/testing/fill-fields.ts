import { nameOf } from "./outline.ts";
import { settle } from "./walk-screens.ts";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const isSeen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });

/** What someone can enter something into. A file is chosen by a button; its field is hidden. */
export const fieldsIn = (place: Element): Field[] =>
  [...place.querySelectorAll<Field>("input, textarea, select")].filter(
    (field) => !field.disabled && (isSeen(field) || (field.type === "file" && field.parentElement !== null && isSeen(field.parentElement))),
  );

export const fieldName = (field: Field): string =>
  [nameOf(field) || field.getAttribute("placeholder") || field.name || field.type, field.type === "radio" ? field.value : ""]
    .join(" ")
    .trim();

const letters = "abcdefghijklmnopqrstuvwxyz";

/** Texts of which a rule lets one in, for the field at this place: no two fields hold the same. */
function textsFor(field: Field, place: number): string[] {
  const own = letters[place % letters.length]!;
  const days = String(15 + (place % 9));
  const byType: Record<string, string[]> = {
    date: [`2026-05-${days}`],
    month: [`2026-0${1 + (place % 4)}`],
    password: ["Granite-Willow88"],
    search: ["2"],
    number: [String(7 + place)],
  };
  const known = byType[field.type];
  if (known) return known;
  if (field.autocomplete === "one-time-code") return ["123456"];
  if ((field as HTMLInputElement).placeholder?.startsWith("yyyy-mm-dd"))
    return [`2026-05-${days} 08:30:00`, `2026-06-${days} 08:30:00`, `2026-05-09 08:30:00`];
  const numbers = [String(7 + place), String(10_007 + place), "1", `10007-100${days}`];
  const words = [
    `Alder ${own}`,
    `alder${own}`,
    `alder-${own}.example`,
    `alder.${own}@works.example`,
    `https://works.example/${own}`,
    `2026-0${1 + (place % 4)}`,
    `2026-05-${days}`,
    "America/Denver",
    "00:30",
  ];
  return ["numeric", "decimal"].includes(field.inputMode) ? [...numbers, ...words] : [...words, ...numbers];
}

function enter(field: Field, value: string): void {
  const prototype = Object.getPrototypeOf(field) as object;
  Object.getOwnPropertyDescriptor(prototype, "value")!.set!.call(field, value);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
}

/** After what follows a key. */
const afterKey = () => new Promise((go) => setTimeout(go, 0)).then(() => new Promise((go) => setTimeout(go, 0)));

const openOptions = () => [...document.querySelectorAll<HTMLElement>("[role=option]")].filter(isSeen);

/** @returns whether there was anything to choose */
async function choose(field: Field): Promise<boolean> {
  if (openOptions().length === 0) field.click();
  await settle();
  const options = openOptions().filter((option) => option.ariaSelected !== "true" && option.textContent !== field.value);
  (options[1] ?? options[0])?.click();
  await settle();
  return options.length > 0;
}

/** Enters what the field takes, other than what is there. */
export async function fill(field: Field, place: number): Promise<void> {
  field.focus();
  if (field instanceof HTMLSelectElement) {
    const other = [...field.options].findLast(({ value, disabled }) => !disabled && value !== field.value);
    if (other) enter(field, other.value);
  } else if (field.type === "checkbox" || field.type === "radio") {
    if (field.type === "checkbox" || !(field as HTMLInputElement).checked) field.click();
  } else if (field.type === "file") {
    const files = new DataTransfer();
    files.items.add(new File(["Customer,Facility,Location\nalder,North,Pump 7\n"], "alder.csv", { type: "text/csv" }));
    (field as HTMLInputElement).files = files.files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (field.getAttribute("aria-haspopup") === "listbox" && (await choose(field))) {
    field.blur();
  } else if (!(field as HTMLInputElement).readOnly) {
    const before = field.value;
    for (const text of textsFor(field, place)) {
      if (text === before) continue;
      enter(field, text);
      await afterKey();
      if (field.getAttribute("aria-invalid") !== "true") break;
    }
    field.blur();
  }
  await afterKey();
}

/** Enters what is there now again, unless it is chosen from a list. */
export function restoring(field: Field): () => Promise<void> {
  const { value } = field;
  const wasChecked = (field as HTMLInputElement).checked;
  return async () => {
    if (!field.isConnected) return;
    if (["checkbox", "radio"].includes(field.type)) {
      if ((field as HTMLInputElement).checked !== wasChecked) field.click();
    } else if (!(field as HTMLInputElement).readOnly && field.type !== "file" && field.value !== value) enter(field, value);
    await afterKey();
  };
}

/** Fills every field, also those that come by what is entered; of a group of radios the last. */
export async function fillAll(place: Element, mayFill: (field: Field) => boolean = () => true): Promise<void> {
  const done = new Set<Field>();
  for (;;) {
    const field = fieldsIn(place).find((each) => !done.has(each) && mayFill(each));
    if (!field) return;
    done.add(field);
    await fill(field, done.size - 1);
  }
}
