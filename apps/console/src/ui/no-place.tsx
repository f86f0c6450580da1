/** A node at no location: what was written of its last one is not where it is. */
export function placeText(place: string, isAtLocation: boolean): string {
  if (isAtLocation) return place;
  return place === "" ? "At no location" : `At no location, last known: ${place}`;
}

/** The same in a cell of two lines. */
export function NoPlace({ lastKnown }: { lastKnown: string }) {
  return (
    <div title={placeText(lastKnown, false)}>
      <div className="cell-line dim">At no location</div>
      {lastKnown !== "" && <div className="cell-line place dim">Last known: {lastKnown}</div>}
    </div>
  );
}
