/** What is told of a printed SEL event report (EVE); its samples stay text. */
export interface EveReport {
  fid: string | undefined;
  date: string | undefined;
  time: string | undefined;
  event: string | undefined;
}

/** Reads the head of a printed event report; what it does not find is undefined. */
export function readEve(text: string): EveReport {
  const find = (pattern: RegExp) => pattern.exec(text)?.[1]?.trim();
  return {
    fid: find(/^\s*FID=(\S+)/m),
    date: find(/\bDate:\s*(\d{1,4}[/-]\d{1,2}[/-]\d{1,4})/),
    time: find(/\bTime:\s*(\d{1,2}:\d{2}:\d{2}(?:\.\d+)?)/),
    event: find(/^\s*Event:\s*(.{1,60}?)(?:\s{2,}|\s*$)/m),
  };
}
