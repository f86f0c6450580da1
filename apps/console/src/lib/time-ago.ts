const units = [
  { seconds: 2_592_000, name: "month" }, // COM-05: months of 30 days
  { seconds: 86_400, name: "day" },
  { seconds: 3_600, name: "hour" },
  { seconds: 60, name: "minute" },
  { seconds: 1, name: "second" },
] as const;

/** COM-05: how long ago, in the largest whole unit; a node's clock may be ahead, so the future is now. */
export function timeAgo(timestamp: number, now: number): string {
  const seconds = Math.floor(now - timestamp);
  if (seconds < 1) return "just now";
  for (const unit of units) {
    const count = Math.floor(seconds / unit.seconds);
    if (count >= 1) return `${count} ${unit.name}${count === 1 ? "" : "s"} ago`;
  }
  return "just now";
}
