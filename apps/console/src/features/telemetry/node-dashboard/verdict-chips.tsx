import type { VerdictKind } from "@busbar/contract/telemetry/node-verdicts.ts";
import { gravityByKind, verdictKinds } from "@busbar/contract/telemetry/node-verdicts.ts";
import { Button } from "@mantine/core";
import { IconSortDescendingShapes } from "@tabler/icons-react";
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
      <ul className="verdict-chip-list" aria-label="Nodes by verdict">
        {kinds.map((kind) => {
          const { shape, className } = gravityShapes[gravityByKind[kind]];
          return (
            <li key={kind}>
              <button type="button" className="verdict-chip" aria-pressed={verdicts.has(kind)} onClick={() => toggle(kind)}>
                <span className={className} aria-hidden="true">
                  {shape}
                </span>{" "}
                <b className="tabular">{formatCount(counts.get(kind) ?? 0)}</b> {verdictLabels[kind]}
              </button>
            </li>
          );
        })}
      </ul>
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
