import type { Change } from "@busbar/contract/system/changes.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { useState } from "react";
import { formatDateTime } from "#lib/format-date.ts";
import "./changes.css";

export interface ChangedValue {
  name: string;
  /** Undefined where there was no such value. */
  before: string | undefined;
  after: string | undefined;
}

const empty = "(empty)";

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null || value === "") return empty;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.length === 0 ? empty : value.join(", ");
  if (typeof value === "number" && name.endsWith("Timestamp")) return formatDateTime(value);
  if (Array.isArray(value)) return counted(value.length, "entry");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A name of the wire in words; a parameter of a node keeps its own. */
const wordsOf = (name: string): string =>
  name.includes("_") ? name : name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").replace(/^./, (letter) => letter.toUpperCase());

export function changedValuesOf({ before, after }: Pick<Change, "before" | "after">): ChangedValue[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].filter((name) => name !== "id");
  return (
    names
      .map((name) => ({ name: wordsOf(name), before: textOf(name, before?.[name]), after: textOf(name, after?.[name]) }))
      // Of what was made or deleted only what says something.
      .filter((value) => (before && after) || (value.before ?? value.after) !== empty)
  );
}

/** Of what was changed, and of what was made or deleted as a whole. */
const shownAtFirst = { changed: 6, whole: 2 };

/** Old and new values side by side. */
export function ChangedValues({ change }: { change: Change }) {
  const [areAllShown, setAreAllShown] = useState(false);
  const values = changedValuesOf(change);
  if (values.length === 0) return <span className="dim">–</span>;
  const few = shownAtFirst[change.before && change.after ? "changed" : "whole"];
  const shown = areAllShown ? values : values.slice(0, few);
  return (
    <div>
      <dl className="changed-values">
        {shown.map(({ name, before, after }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {before !== undefined && (
                <del title={before}>
                  <span className="visually-hidden">from </span>
                  {before}
                </del>
              )}
              {before !== undefined && after !== undefined && <span aria-hidden> → </span>}
              {after !== undefined && (
                <ins title={after}>
                  <span className="visually-hidden">to </span>
                  {after}
                </ins>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {values.length > few && (
        <button
          type="button"
          className="plain-button changed-values-more no-print"
          aria-expanded={areAllShown}
          onClick={() => setAreAllShown(!areAllShown)}
        >
          {areAllShown ? "Show fewer values" : `Show all ${counted(values.length, "value")}`}
        </button>
      )}
    </div>
  );
}
