const tones: Record<string, string> = { Deployed: "good", "Pre-Deployment": "info", Unassigned: "plain", Decommissioned: "plain" };

/** Deployment status as a word in its colour. */
export function StatusBadge({ status }: { status: string }) {
  return <span className={`status-badge status-${tones[status] ?? "plain"}`}>{status}</span>;
}

/** Beside a value that is older than it should be. */
export function LateBadge() {
  return <span className="status-badge status-plain">late</span>;
}

/** The status that was requested and is not yet in effect. */
export function NextStatusCapsule({ status }: { status: string }) {
  return <span className="status-badge status-next">Next: {status}</span>;
}
