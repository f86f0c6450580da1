import { paintedOn } from "./painted.ts";

const plainTags = new Set(["div", "span", "p", "b", "strong", "em", "small", "br", "tbody", "thead", "g", "body", "wbr", "bdi"]);

const inOneLine = new Set(["colgroup", "tr", "button", "a", "select", "label", "kbd", "legend", "summary"]);

export const nameOf = (element: Element): string => {
  const ids = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
  const labels = [...((element as HTMLInputElement).labels ?? []), ...ids.map((id) => document.getElementById(id))];
  return element.getAttribute("aria-label") ?? labels.map((label) => label?.textContent.trim() ?? "").join(" ");
};

const states = ["checked", "disabled", "readOnly", "required", "open", "selected", "multiple"] as const;
const keptInBrief = ["role", "href", "title", "label"];
/** What is said otherwise, or for machines only. */
const otherwise = /^(?:class|style|for|value|type|name|xmlns|checked|disabled|open|multiple|selected|readonly|required|(?:aria|data)-.*)$/;
const isMade = (text: string): boolean => /mantine-\w{6}|[:«_]r\w*[:»_]/.test(text);
/** What is named by ids, which are new each time. */
const pointing = ["aria-label", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns", "aria-activedescendant"];

const ownClasses = (element: Element): string[] =>
  [...element.classList].filter((name) => !/^(?:m_|mantine-|tabler-icon$|uplot|u-)/.test(name)).map((name) => `.${name}`);

/** What is as large as its letters are, which differ from machine to machine; what a plot makes itself; and the page, which a dialog locks when it is drawn. */
const measured = "body, textarea, [class*=mantine-ScrollArea-], [class^=u-]";

/** A few letters for what a component makes of its size, its colour and the room around it. */
function lookOf(element: Element): string[] {
  if (element.classList.contains("tabler-icon")) return [element.getAttribute("width") ?? ""];
  const parts = [...element.attributes].filter(
    ({ name }) => name === "style" || (name.startsWith("data-") && !/testid|floating/.test(name)),
  );
  if (parts.length === 0 || element.matches(measured)) return [];
  const text = parts.map(({ name, value }) => `${name}=${value}`).join(";");
  let hash = 7;
  for (const letter of text) hash = (hash * 31 + letter.charCodeAt(0)) % 46_649;
  return [`~${hash.toString(36).padStart(3, "0")}`];
}

function detailsOf(element: Element, isBrief: boolean): string[] {
  const details = isBrief ? [] : [...ownClasses(element), ...lookOf(element)];
  const isIcon = element.classList.contains("tabler-icon");
  for (const { name, value } of element.attributes) {
    const isState = name.startsWith("aria-") && !pointing.includes(name);
    const isKept = isBrief ? keptInBrief.includes(name) : !isIcon && !otherwise.test(name) && !isMade(value);
    if (isState || isKept) details.push(`${name}=${value}`);
  }
  for (const state of states) if ((element as unknown as Record<string, unknown>)[state] === true) details.push(state);
  if (element instanceof HTMLInputElement) details.push(`type=${element.type}`, `value=${element.value}`);
  if (element instanceof HTMLTextAreaElement) details.push(`value=${element.value}`);
  if (element === document.activeElement && element !== document.body) details.push("focused");
  return details;
}

function describe(element: Element, isBrief: boolean): string {
  const tag = element.localName;
  const details = detailsOf(element, isBrief);
  const name = nameOf(element);
  if (name !== "") details.unshift(JSON.stringify(name));
  if (details.length === 0 && plainTags.has(tag)) return "";
  return [plainTags.has(tag) ? "" : tag, ...details].filter(Boolean).join(" ");
}

const isSeen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true }) || element.matches("option, optgroup");

// The version is another one tomorrow.
const unseen = "script, style, output[aria-live], .icon-tip, .top-bar .tabular, svg:not([class], [role]), svg[class*=mantine-]";
/** What every screen has is shown with one. */
const frame = "nav[aria-label=Main], header";
const shownWithFrame = "#/home";

function linesOf(node: Node, isBrief: boolean): string[] {
  if (node instanceof Text) return node.data.trim() === "" ? [] : [node.data.replaceAll(/\s+/g, " ")];
  if (
    !(node instanceof Element) ||
    node.matches(location.hash.startsWith(shownWithFrame) ? unseen : `${unseen}, ${frame}`) ||
    !isSeen(node) ||
    (isBrief && (node instanceof SVGElement || node.ariaHidden === "true" || node.localName === "colgroup"))
  )
    return [];
  const head = describe(node, isBrief);
  const icon = node.classList.contains("tabler-icon");
  const children = icon ? [] : node instanceof HTMLCanvasElement ? paintedOn(node) : joinTexts([...node.childNodes], isBrief);
  if (inOneLine.has(node.localName)) return [[head, ...children.map((child) => child.trim())].join(" | ")];
  if (head === "") return children;
  if (children.length === 1) return [`${head}: ${children[0]!}`];
  return [head, ...children.map((child) => `  ${child}`)];
}

/** Texts that stand in one line are one. */
function joinTexts(nodes: readonly Node[], isBrief: boolean): string[] {
  const lines: string[] = [];
  let wasText = false;
  for (const node of nodes) {
    const isText = node instanceof Text;
    const own = linesOf(node, isBrief);
    if (isText && wasText && own.length === 1) lines.push(`${lines.pop() ?? ""}${own[0]!}`);
    else lines.push(...own);
    wasText = isText && own.length > 0;
  }
  return lines;
}

/** Everything that can be seen, read out or pressed below an element, line by line, with its state. */
export const outlineOf = (element: Element): string => linesOf(element, false).join("\n");

/** The same without pictures and what is for the eye only. */
export const briefOutlineOf = (element: Element): string[] => linesOf(element, true);
