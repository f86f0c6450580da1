import type { MeterPhasor } from "@busbar/contract/telemetry/metering.ts";
import type { NodeWiring, WiringOutcome, WiringPhasors } from "@busbar/contract/telemetry/node-wiring.ts";
import { formatReading } from "#lib/format-number.ts";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { HoverTimes } from "#ui/date-time.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { Panel } from "#ui/panel.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { gravityShapes } from "#ui/verdict-words.tsx";
import type { Gravity } from "@busbar/contract/values/gravity.ts";
import { useNodeWiring } from "./metering.queries.ts";
import { PhasorDrawing } from "./phasor-diagram.tsx";
import "./metering.css";
import "./wiring-panel.css";

export interface WiringPanelProps {
  serial: string;
  /** Asks again and again; not while the screen is paused. */
  isLive?: boolean;
}

/** Whether the node's inputs are wired right, what to do, and the phasors as they are and as they ought to be. */
export function WiringPanel({ serial, isLive = true }: WiringPanelProps) {
  const asked = useNodeWiring(serial, isLive);
  const { data } = asked;
  return (
    <Panel
      title="Wiring"
      className="wiring"
      aside={
        data &&
        data.timestamp !== null && (
          <HoverTimes timestamp={data.timestamp} timezone={data.timezone}>
            <TimeAgo timestamp={data.timestamp} />
          </HoverTimes>
        )
      }
    >
      <Loaded of={asked} loading={<LoadingRows label="Loading the wiring" rows={1} height={24} />} />
      {data && <WiringVerdict wiring={data} />}
    </Panel>
  );
}

const gravities: Record<WiringOutcome, Gravity> = { right: "fine", wrong: "act", open: "look", old: "note", none: "note" };
const words: Record<WiringOutcome, string> = { right: "Right", wrong: "Wrong", open: "Cannot tell", old: "Old values", none: "No values" };

type WiringVerdictValues = Pick<NodeWiring, "outcome" | "sentence" | "actions" | "candidates" | "notShown" | "is" | "ought"> &
  Partial<Pick<NodeWiring, "currentNoise">>;

/** The verdict by itself, as it was judged at some time. */
export function WiringVerdict({ wiring }: { wiring: WiringVerdictValues }) {
  const { outcome, sentence, actions, candidates, notShown, is, ought, currentNoise = 0 } = wiring;
  const { shape, className } = gravityShapes[gravities[outcome]];
  // What is right looks as it ought to, and without load there is nothing to see.
  const isDrawn = is !== null && (outcome === "wrong" || candidates.length > 0);
  return (
    <>
      <p className="wiring-sentence">
        <span className={className}>
          <span aria-hidden="true">{shape}</span> {words[outcome]}
        </span>{" "}
        <span>{sentence}</span>
      </p>
      {actions.length > 0 && <Sentences label="What to do" sentences={actions} />}
      {candidates.length > 0 && <Sentences label="What fits" sentences={candidates} />}
      {notShown.length > 0 && <Sentences label="What these values cannot show" sentences={notShown} className="dim" />}
      {isDrawn && (
        <div className="wiring-phasors">
          <div className="wiring-drawings">
            <Drawing title="As it is" phasors={is} noise={currentNoise} />
            {ought && <Drawing title="As it ought to be" phasors={ought} noise={currentNoise} />}
          </div>
          <DataTable className="meter-phasor-table mono" columns={columns} rows={rowsOf(is, ought)} keyOf={({ name }) => name} isMatrix />
        </div>
      )}
    </>
  );
}

function Sentences({ label, sentences, className = "" }: { label: string; sentences: readonly string[]; className?: string }) {
  return (
    <>
      <h3 className={`wiring-label ${className}`}>{label}</h3>
      <ul className={`wiring-list ${className}`}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  );
}

function Drawing({ title, phasors, noise }: { title: string; phasors: WiringPhasors; noise: number }) {
  return (
    <figure className="meter-phasors">
      <figcaption>{title}</figcaption>
      <PhasorDrawing phasors={phasors} noise={noise} title={title} />
    </figure>
  );
}

interface PhasorRow {
  name: string;
  unit: string;
  is: MeterPhasor | undefined;
  ought: MeterPhasor | undefined;
}

const rowsOf = (is: WiringPhasors, ought: WiringPhasors | null): PhasorRow[] =>
  (["voltages", "currents"] as const).flatMap((kind) =>
    [0, 1, 2].map((phase) => ({
      name: `${kind === "voltages" ? "V" : "I"}${phase + 1}`,
      unit: kind === "voltages" ? "V" : "A",
      is: is[kind][phase],
      ought: ought?.[kind][phase],
    })),
  );

const textOf = (phasor: MeterPhasor | undefined, unit: string): string =>
  phasor ? `${formatReading(phasor.magnitude)} ${unit}∠${Math.round(phasor.angle)}°` : "–";

const columns: readonly Column<PhasorRow>[] = [
  { label: "Input", text: ({ name }) => name, isRowHead: true },
  { label: "Is", text: ({ is, unit }) => textOf(is, unit), isRight: true },
  { label: "Ought to be", text: ({ ought, unit }) => textOf(ought, unit), isRight: true },
];
