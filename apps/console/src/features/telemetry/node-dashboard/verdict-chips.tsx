import { gravityByKind, verdictKinds, type VerdictKind } from "@busbar/contract/telemetry/node-verdicts.ts";
import { Button } from "@mantine/core";
import { IconSortDescendingShapes } from "@tabler/icons-react";
import type { KeyboardEvent } from "react";
import { formatCount } from "#lib/format-number.ts";
import { gravityShapes, verdictLabels } from "#ui/verdict-words.tsx";
import type { FleetCriteria } from "./fleet-criteria.ts";

export interface VerdictChipsProps {
  counts: ReadonlyMap<VerdictKind, number>;
  criteria: FleetCriteria;
  onChange: (criteria: FleetCriteria) => void;
}

/** Where to look: how many nodes there are of each verdict, gravest first; each shows only its own. */
export function VerdictChips({ counts, criteria, onChange }: VerdictChipsProps) {
  const { verdicts } = criteria;
  const toggle = (kind: VerdictKind) => {
    const chosen = new Set(verdicts);
    if (!chosen.delete(kind)) chosen.add(kind);
    onChange({
      ...criteria,
      verdicts: chosen,
      ...(chosen.size > 0 && verdicts.size === 0 ? { sort: "gravity", isDescending: false } : {}),
    });
  };
  const isByGravity = criteria.sort === "gravity";
  const kinds = verdictKinds.filter((kind) => counts.has(kind) || verdicts.has(kind));
  if (kinds.length === 0) return null;
  return (
    <div className="verdict-chips no-print">
      <div className="verdict-chip-list" role="toolbar" aria-label="Verdicts">
        {kinds.map((kind, index) => {
          const { shape, className } = gravityShapes[gravityByKind[kind]];
          return (
            <button
              key={kind}
              type="button"
              className="verdict-chip"
              aria-pressed={verdicts.has(kind)}
              tabIndex={index === 0 ? 0 : -1}
              onClick={() => toggle(kind)}
              onKeyDown={moveFocus}
            >
              <span className={className} aria-hidden="true">
                {shape}
              </span>{" "}
              <b className="tabular">{formatCount(counts.get(kind) ?? 0)}</b> {verdictLabels[kind]}
            </button>
          );
        })}
      </div>
      <Button
        variant={isByGravity ? "light" : "subtle"}
        size="compact-xs"
        aria-pressed={isByGravity}
        leftSection={<IconSortDescendingShapes size={13} aria-hidden />}
        onClick={() => onChange({ ...criteria, sort: isByGravity ? "node" : "gravity", isDescending: false })}
      >
        Sort by gravity
      </Button>
    </div>
  );
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowRight: (at, last) => Math.min(at + 1, last),
  ArrowLeft: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, last) => last,
};

/** One stop of the Tab key, whatever there is; arrow keys go along. */
function moveFocus(event: KeyboardEvent<HTMLButtonElement>): void {
  const step = steps[event.key];
  if (!step) return;
  const chips = [...event.currentTarget.parentElement!.querySelectorAll("button")];
  const at = chips.indexOf(event.currentTarget);
  chips[step(at, chips.length - 1)]?.focus();
  event.preventDefault();
}
