import { NodeLink } from "./node-link.tsx";
import "./node-range.css";

/** Serial numbers that were chosen, in their order behind one line: there may be thousands. */
export function NodeRange({ serials, most }: { serials: readonly string[]; most: number }) {
  const sorted = serials.toSorted((a, b) => Number(a) - Number(b));
  return (
    <details className="node-range">
      <summary>{sorted.length > 1 ? `Nodes ${sorted[0]} to ${sorted.at(-1)}` : `Node ${sorted[0]}`}</summary>
      <ul>
        {sorted.slice(0, most).map((serial) => (
          <li key={serial}>
            <NodeLink serial={serial} />
          </li>
        ))}
      </ul>
    </details>
  );
}
