import { emptySettingMessage, settingAreas } from "@busbar/contract/system/system-config.ts";
import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";
import { EmptyState } from "#ui/data-states.tsx";
import { Notice } from "#ui/notice.tsx";
import { SearchField } from "#ui/search-field.tsx";
import { UnsavedEdits } from "#ui/unsaved-edits.tsx";
import { changesOf, edited, textsOf, typedOf, wireOf, type Edits, type SettingChange, type Settings } from "./setting-edits.ts";
import { SettingField } from "./setting-field.tsx";
import { changedParts, factsOf } from "./setting-text.ts";

export interface SettingsFormProps {
  settings: Settings;
  /** All, unless these are named. */
  only?: readonly string[] | undefined;
  edits: Edits;
  onEdits: (edits: Edits) => void;
  isSaving: boolean;
  onSave: () => void;
  /** Shown beside the button. */
  children: ReactNode;
}

export function SettingsForm({ settings, only, edits, onEdits, isSaving, onSave, children }: SettingsFormProps) {
  const [filter, setFilter] = useState("");
  const hasEmpty = Object.values(textsOf(settings, edits)).some((text) => text.trim() === "");
  const changes = changesOf(settings, edits);
  const found = Object.entries(settings).filter(
    ([name, { description }]) => (only?.includes(name) ?? true) && isFound(filter, name, description),
  );
  return (
    <form
      aria-label="Settings"
      onSubmit={(event) => {
        event.preventDefault();
        if (!hasEmpty && !isSaving) onSave();
      }}
    >
      {!only && <SearchField label="Search settings" value={filter} onChange={setFilter} />}
      {found.length === 0 && <EmptyState title={only ? "There are no such settings any more" : "No setting matches"} />}
      {settingAreas.map((area) => {
        const ofArea = found.filter(([name]) => factsOf(name).area === area);
        if (ofArea.length === 0) return null;
        return (
          <section key={area} aria-label={`Settings: ${area}`}>
            <h2 className="section-title">{area}</h2>
            <div className="settings">
              {ofArea.map(([name, setting]) => (
                <SettingField
                  key={name}
                  name={name}
                  setting={setting}
                  typed={typedOf(name, setting, edits)}
                  wire={wireOf(name, setting, edits)}
                  onChange={(text) => onEdits(edited(edits, name, setting, text))}
                />
              ))}
            </div>
          </section>
        );
      })}
      <div className="settings-foot">
        <UnsavedEdits when={changes.length > 0} />
        {hasEmpty && <Notice kind="warning">{emptySettingMessage}</Notice>}
        {changes.length > 0 && <Changes changes={changes} />}
        <Button type="submit" loading={isSaving} disabled={hasEmpty}>
          Save
        </Button>
        {children}
      </div>
    </form>
  );
}

function isFound(filter: string, name: string, description: string): boolean {
  const { title, area } = factsOf(name);
  const text = `${title} ${name} ${area} ${description}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const longest = 80;
const short = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** What a save would do, before it is done. */
function Changes({ changes }: { changes: readonly SettingChange[] }) {
  return (
    <section className="settings-changes" aria-live="polite" aria-label="About to change">
      <strong>About to change</strong>
      <ul>
        {changes.flatMap((change) => {
          const { title, unit } = factsOf(change.name);
          return changedParts(unit, change.before, change.after).map(({ part, before, after }) => (
            <li key={`${change.name} ${part}`}>
              {part === "" ? title : `${title}, ${part}`}: <s>{short(before)}</s> → {short(after)}
            </li>
          ));
        })}
      </ul>
    </section>
  );
}
