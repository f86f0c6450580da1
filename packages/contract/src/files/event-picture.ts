const channels = 6;
const missing = -128;
const full = 127;

/** Lowest and highest of a column, from -1 to 1. */
export interface PictureColumn {
  low: number;
  high: number;
}

/** The drawing of an event as IA, IB, IC, VA, VB, VC, each a row of columns, null where there is no value; see `RecordedEvent`. */
export function readPicture(base64: string): (PictureColumn | null)[][] {
  const bytes = Int8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const columns = Math.floor(bytes.length / channels / 2);
  return Array.from({ length: channels }, (_, channel) =>
    Array.from({ length: columns }, (_column, column) => {
      const at = (channel * columns + column) * 2;
      const [low = missing, high = missing] = [bytes[at], bytes[at + 1]];
      return low === missing ? null : { low: low / full, high: high / full };
    }),
  );
}
