/** What a file says about itself, as far as it can be read: a broken record still says whose it is. */
export interface RecordHead {
  /** Names and values in the order in which people read them; none when the file is nothing of its kind. */
  labels: [name: string, value: string][];
  /** The recorder's own wall time `yyyy-MM-dd HH:mm:ss.ffffff`, or as the file writes it. */
  triggeredAt: string | undefined;
  /** Words of the file that say what happened, such as `AG T`. */
  event: string;
}

export const nothingSaid: RecordHead = { labels: [], triggeredAt: undefined, event: "" };

const longestValue = 200;

/** Labels without those that the file leaves out. */
export function labelsOf(pairs: readonly (readonly [string, string | number | undefined])[]): [string, string][] {
  return pairs.flatMap(([name, value]): [string, string][] => {
    const text = String(value ?? "").trim();
    // Dollar signs are what SEL relays print for what they could not find out.
    return /^\$*$/.test(text) ? [] : [[name, text.slice(0, longestValue)]];
  });
}
