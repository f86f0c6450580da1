import type { SeriesName } from "@busbar/contract/telemetry/trends.ts";
import { CloseButton } from "@mantine/core";
import { Swatch } from "./swatch.tsx";
import { seriesKey } from "./trend-address.ts";
import { quantityName, seriesLook } from "./trend-words.ts";

export interface SeriesChipsProps {
  series: readonly (SeriesName & { machine: string })[];
  hidden: readonly string[];
  onHidden: (hidden: string[]) => void;
  onRemove: (key: string) => void;
}

/** What is shown: a press on one hides it for a time. */
export function SeriesChips({ series, hidden, onHidden, onRemove }: SeriesChipsProps) {
  return (
    <ul className="bare-list trend-series" aria-label="Series">
      {series.map((each, place) => {
        const key = seriesKey(each);
        const isHidden = hidden.includes(key);
        const name = `${each.machine} · ${quantityName(each)}`;
        return (
          <li key={key} className={isHidden ? "trend-chip is-hidden" : "trend-chip"}>
            <button
              type="button"
              className="plain-button"
              aria-pressed={!isHidden}
              title={isHidden ? "Show" : "Hide"}
              onClick={() => onHidden(isHidden ? hidden.filter((other) => other !== key) : [...hidden, key])}
            >
              <Swatch {...seriesLook(place)} /> {name}
            </button>
            <CloseButton size="xs" className="no-print" aria-label={`Remove ${name}`} onClick={() => onRemove(key)} />
          </li>
        );
      })}
    </ul>
  );
}
