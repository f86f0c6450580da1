/** When a value was first seen, epoch milliseconds by serial number and the value's own time. */
export type Sightings = Record<string, number>;

export const keyOf = (serial: string, atMs: string): string => `${serial} ${atMs}`;

/** Runs in the page: notes when a row first shows a scalar, by the time that is in it. Must not use anything outside itself. */
export function followRows(): void {
  const sightings: Sightings = {};
  Object.assign(globalThis, { sightings });
  const look = () => {
    const now = Date.now();
    for (const row of document.querySelectorAll("[data-row]")) {
      const serial = row.querySelector(".serial")?.textContent ?? "";
      const atMs = /^\d+,\d+,(\d{13}),/.exec(row.querySelector(".scalar-data")?.textContent ?? "")?.[1];
      if (atMs !== undefined) sightings[`${serial} ${atMs}`] ??= now;
    }
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
}
