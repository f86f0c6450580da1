import { useEffect, useRef } from "react";
import UPlot from "uplot";
import { usePlot } from "#ui/use-plot.ts";
import type { TimeRange } from "./event-files.queries.ts";
import { analogOptions, laneOptions, laneData, nameWidthFor, type PlotContext } from "./waveform-plot-options.ts";
import { describeAnalogs, describeLanes, type Lane, type WaveformPanel } from "./waveform-series.ts";

export interface WaveformPlotProps {
  times: number[];
  panels: readonly WaveformPanel[];
  lanes: readonly Lane[];
  range: TimeRange;
  /** Place of the cursor among the times; undefined leaves it where the pointer is. Called again when it moves or goes. */
  cursorIndex: number | undefined;
  onCursor: (index: number | undefined) => void;
  onZoom: (range: TimeRange) => void;
  onReset: () => void;
}

/** One panel per unit and one with a lane per digital channel, over the same time; drawing is outside of React. */
export function WaveformPlot({ times, panels, lanes, range, cursorIndex, onCursor, onZoom, onReset }: WaveformPlotProps) {
  const shared = { range, cursorIndex, onCursor, onZoom, onReset };
  return (
    <div>
      {panels.map((panel, place) => (
        <PlotFrame
          key={panel.unit}
          {...shared}
          isFirst={place === 0}
          lanes={lanes}
          title={panel.unit === "" ? panel.title : `${panel.title} (${panel.unit})`}
          description={describeAnalogs(panel)}
          shape={panel.series.map(({ label }) => label).join()}
          data={[times, ...panel.series.map(({ values }) => values)]}
          makeOptions={(context) => analogOptions(panel, context)}
        />
      ))}
      {lanes.length > 0 && (
        <PlotFrame
          {...shared}
          isFirst={panels.length === 0}
          lanes={lanes}
          title="Digital channels"
          description={describeLanes(lanes, times)}
          shape={lanes.map(({ name }) => name).join()}
          data={laneData(times, lanes)}
          makeOptions={(context) => laneOptions(lanes, context)}
        />
      )}
    </div>
  );
}

interface PlotFrameProps extends Omit<WaveformPlotProps, "times" | "panels"> {
  isFirst: boolean;
  title: string;
  description: string;
  /** What the plot is made of; with other channels it is rebuilt. */
  shape: string;
  data: UPlot.AlignedData;
  makeOptions: (context: PlotContext) => UPlot.Options;
}

function PlotFrame({ isFirst, lanes, title, description, shape, data, makeOptions, ...shared }: PlotFrameProps) {
  // The plot asks for these while it lives.
  const current = useRef(shared);
  useEffect(() => {
    current.current = shared;
  });
  const { frame, plot, key } = usePlot(shape, (element) => {
    const nameWidth = nameWidthFor(lanes, element.clientWidth);
    const options = makeOptions({ element, namesTrigger: isFirst, nameWidth, shared: () => current.current });
    return { made: new UPlot(options, data, element) };
  });

  useEffect(() => {
    plot.current?.setData(data);
    // oxlint-disable-next-line react/exhaustive-deps -- the data are rebuilt at every drawing; they change with their times
  }, [data[0], key]);

  const { cursorIndex } = shared;
  useEffect(() => {
    const time = cursorIndex === undefined ? undefined : plot.current?.data[0][cursorIndex];
    if (time !== undefined) plot.current?.setCursor({ left: plot.current.valToPos(time, "x"), top: 10 });
  }, [plot, cursorIndex]);

  return (
    <figure className="wave-panel">
      <figcaption>{title}</figcaption>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a canvas in it is drawn later */}
      <div ref={frame} className="wave-canvas" role="img" aria-label={description} />
    </figure>
  );
}
