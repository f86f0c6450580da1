import "./status-badge.css";

/** FIL-06: what has become of a file: null Pending, false Failed, true Extracted. */
export function FileStatus({ processed }: { processed: boolean | null }) {
  if (processed === null) return <span className="status-badge status-info">Pending</span>;
  return processed ? <span className="status-badge status-good">Extracted</span> : <span className="status-badge status-bad">Failed</span>;
}
