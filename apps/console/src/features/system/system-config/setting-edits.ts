import type { SettingTexts, ShownSetting } from "@busbar/contract/system/system-config.ts";
import { factsOf, shownText, wireText } from "./setting-text.ts";

export type Settings = Record<string, ShownSetting>;

/** What someone typed into a field, and the setting's value before. */
export interface Edit {
  text: string;
  base: string;
}
export type Edits = Readonly<Record<string, Edit>>;

/** A setting's value as it would be saved. */
export function wireOf(name: string, { value }: ShownSetting, edits: Edits): string {
  const edit = edits[name];
  return edit === undefined ? value : wireText(factsOf(name).unit, edit.text);
}

export const textsOf = (settings: Settings, edits: Edits): SettingTexts =>
  Object.fromEntries(Object.entries(settings).map(([name, setting]) => [name, wireOf(name, setting, edits)]));

/** What the field of a setting says. */
export const typedOf = (name: string, { value }: ShownSetting, edits: Edits): string =>
  edits[name]?.text ?? shownText(factsOf(name).unit, value);

/** The edits after someone typed; none where the field says again what it said. */
export function edited(edits: Edits, name: string, { value }: ShownSetting, text: string): Edits {
  const { [name]: known, ...others } = edits;
  return text === shownText(factsOf(name).unit, value) ? others : { ...others, [name]: { text, base: known?.base ?? value } };
}

/** Values as the server writes them, entered into the settings that differ from them. */
export const editsOf = (settings: Settings, values: Readonly<Record<string, unknown>>): Edits =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const setting = settings[name];
      if (!setting || setting.isSecret || typeof value !== "string" || value === setting.value) return [];
      return [[name, { text: shownText(factsOf(name).unit, value), base: setting.value }]];
    }),
  );

export interface SettingChange {
  name: string;
  before: string;
  after: string;
}

/** What a save would change, in the order of the settings. */
export const changesOf = (settings: Settings, edits: Edits): SettingChange[] =>
  Object.entries(settings).flatMap(([name, setting]) => {
    const after = wireOf(name, setting, edits);
    return after === setting.value ? [] : [{ name, before: setting.value, after }];
  });
