const shownAtEachEnd = 30;

/** DSH-08: the first 30 and the last 30 characters. */
export function shorten(data: string): string {
  return data.length <= 2 * shownAtEachEnd ? data : `${data.slice(0, shownAtEachEnd)} … ${data.slice(-shownAtEachEnd)}`;
}
