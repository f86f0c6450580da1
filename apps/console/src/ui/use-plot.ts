import { useMantineColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import type UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { colorResolver } from "./plot-colors.ts";

/**
 * A plot in an element, as wide as it; drawing is outside of React.
 * @param shape what it is made of: another one makes it anew. Values are given to `plot`, again after each making.
 * @param make makes it, and may return what is to be ended with it
 */
export function usePlot(shape: string, make: (element: HTMLElement) => { made: UPlot; end?: () => void }) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | undefined>(undefined);
  const { colorScheme } = useMantineColorScheme();
  const key = `${shape} ${colorScheme}`;
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const { made, end } = make(element);
    const { height } = made;
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      end?.();
      made.destroy();
      plot.current = undefined;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the key holds what the plot is made of
  }, [key]);
  return { frame, plot, key };
}

/** How an axis looks: its colours are read from the page. */
export function axisLook(element: HTMLElement, resolve = colorResolver(element)): UPlot.Axis {
  const line = resolve("var(--busbar-line)");
  return { stroke: getComputedStyle(element).color, grid: { stroke: line, width: 1 }, ticks: { stroke: line } };
}

/** Without a pointer on the plot its legend reads the latest values. */
export function showLatest(plot: UPlot): void {
  const last = plot.data[0].length - 1;
  if (last >= 0 && (plot.legend.idx === null || plot.legend.idx === undefined)) plot.setLegend({ idx: last }, false);
}
