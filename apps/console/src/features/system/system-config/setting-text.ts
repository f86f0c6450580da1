import { FaultLibraryFlag } from "@busbar/contract/alarms/fault-library.ts";
import { systemConfigEntries, type SettingArea, type SettingUnit, type SystemConfigEntry } from "@busbar/contract/system/system-config.ts";
import * as z from "zod/mini";

/** What is known of a setting apart from its value. */
export interface SettingFacts {
  title: string;
  area: SettingArea;
  unit: SettingUnit | undefined;
  /** As the server writes values; undefined where it is not known. */
  defaultText: string | undefined;
}

const entries: Readonly<Record<string, SystemConfigEntry>> = systemConfigEntries;

export function factsOf(name: string): SettingFacts {
  const entry = entries[name];
  if (!entry) return { title: inWords(name), area: "System", unit: undefined, defaultText: undefined };
  const { title, area, unit, default: value } = entry;
  return { title, area, unit, defaultText: typeof value === "string" ? value : JSON.stringify(value) };
}

/** `Billing_vendorCity` as `Billing vendor city`. */
const inWords = (name: string): string => {
  const words = name
    .replaceAll("_", " ")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const amount = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** A value as people write it. */
export function shownText(unit: SettingUnit | undefined, text: string): string {
  if (unit === "cents") return /^\d+$/.test(text) ? amount.format(Number(text) / 100) : text;
  if (unit === "share") return isNumber(text) ? String(Number((Number(text) * 100).toPrecision(12))) : text;
  if (unit === "addresses") return listOf(text)?.join("\n") ?? text;
  return text;
}

/** What people wrote, as the server takes it. Text that is no amount goes there as what it is, and is refused there in words. */
export function wireText(unit: SettingUnit | undefined, shown: string): string {
  const typed = shown.trim();
  if (unit === "cents") {
    if (typed === "") return "";
    const plain = typed.replace(/^\$\s*/, "");
    if (!/^(\d{1,3}(,\d{3})+|\d+)(\.\d{1,2})?$/.test(plain)) return `$ ${typed}`;
    const [dollars = "0", cents = ""] = plain.replaceAll(",", "").split(".");
    return String(Number(dollars) * 100 + Number(cents.padEnd(2, "0")));
  }
  if (unit === "share") return isNumber(typed) ? String(Number((Number(typed) / 100).toPrecision(12))) : typed;
  if (unit === "addresses")
    return typed.startsWith("[") ? typed : JSON.stringify(typed.split(/[\s,;]+/).filter((address) => address !== ""));
  return shown;
}

/** With its unit, in a sentence. */
export function saidText(unit: SettingUnit | undefined, text: string): string {
  const shown = shownText(unit, text);
  if (unit === "cents") return `$${shown}`;
  if (unit === "share" || unit === "percent") return `${shown} %`;
  if (unit === "addresses") return shown === "" ? "none" : shown.replaceAll("\n", ", ");
  if (unit === "alerts")
    return (
      alertsOf(text)
        ?.flatMap(({ display_name, value }) => (value ? [display_name] : []))
        .join(", ") || "none"
    );
  return unit === undefined ? shown : `${shown} ${unit}`;
}

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));

const listOf = (text: string): string[] | undefined => readAs(z.array(z.string()), text);

/** The alerts of a setting with the unit `alerts`; undefined for a text that holds none. */
export const alertsOf = (text: string): FaultLibraryFlag[] | undefined => readAs(z.array(FaultLibraryFlag), text);

/** What a change is about, part by part: before and after, each with its unit. */
export function changedParts(
  unit: SettingUnit | undefined,
  before: string,
  after: string,
): { part: string; before: string; after: string }[] {
  const [old, now] = unit === "alerts" ? [alertsOf(before), alertsOf(after)] : [];
  const hasSameAlerts = old?.length === now?.length && old?.every(({ name }, index) => name === now?.[index]?.name);
  if (!old || !now || !hasSameAlerts) return [{ part: "", before: saidText(unit, before), after: saidText(unit, after) }];
  const said = (isOn: boolean) => (isOn ? "on" : "off");
  return old.flatMap(({ display_name, value }, index) =>
    value === now[index]?.value ? [] : [{ part: display_name, before: said(value), after: said(!value) }],
  );
}

function readAs<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
