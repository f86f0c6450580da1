import { dataFileName, parseDataFileName } from "@busbar/contract/files/data-file-name.ts";

const partners: Readonly<Record<string, string>> = { cfg: "dat", dat: "cfg" };

/** A COMTRADE configuration belongs to the data of the same name, and the other way round. */
export function partnerName(fileName: string): string | undefined {
  const parsed = parseDataFileName(fileName);
  const extension = parsed && partners[parsed.extension];
  return extension && dataFileName({ ...parsed, extension });
}
