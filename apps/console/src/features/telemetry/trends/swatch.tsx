/** How a series is drawn: its colour and its dashes. */
export function Swatch({ color, dash }: { color: string; dash: readonly number[] }) {
  return (
    <svg className="trend-swatch" width={18} height={8} aria-hidden="true">
      <line x1={0} x2={18} y1={4} y2={4} style={{ stroke: color }} strokeWidth={2.5} strokeDasharray={dash.join(" ")} />
    </svg>
  );
}
