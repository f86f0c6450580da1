import type { Service } from "@busbar/contract/system/system-services.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { durationWords } from "./service-words.ts";

const slot = 1.25;
/** Of a mark, wider than a bar. */
const markWidth = 4;
const height = 18;
/** Above the bars: where a run that failed has its mark. */
const markHeight = 4;

type Runs = Pick<Service, "durationsOfLastRuns" | "failuresOfLastRuns">;

/** How long the last runs took, a bar each, the newest at the right; one that failed is red and has a mark above it. */
export function RunPlot({ runs }: { runs: Runs }) {
  const { durationsOfLastRuns: durations, failuresOfLastRuns: failures } = runs;
  if (durations.length < 2) return null;
  const longest = Math.max(...durations);
  const width = durations.length * slot;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing in the page is no <img>
    <svg className="run-plot" role="img" aria-label={plotWords(runs)} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      {durations.map((seconds, index) => {
        const bar = Math.max(1, longest === 0 ? 0 : (seconds / longest) * (height - markHeight));
        const x = index * slot;
        const path = `M${x} ${height}v${-bar}h${slot - 0.25}v${bar}z`;
        // oxlint-disable-next-line react/no-array-index-key -- a run has nothing else of its own
        return <path key={index} className={failures[index] ? "is-failed" : ""} d={failures[index] ? path + markAt(x) : path} />;
      })}
    </svg>
  );
}

/** A triangle that points at the bar. */
const markAt = (x: number): string => `M${x + slot / 2 - markWidth / 2} 0h${markWidth}l${-markWidth / 2} ${markHeight - 0.5}z`;

export function plotWords({ durationsOfLastRuns: durations, failuresOfLastRuns: failures }: Runs): string {
  const failed = failures.filter(Boolean).length;
  const range = `${durationWords(Math.min(...durations))} to ${durationWords(Math.max(...durations))}`;
  return `The last ${counted(durations.length, "run")} took ${range}, ${failed === 0 ? "none" : failed} failed`;
}
