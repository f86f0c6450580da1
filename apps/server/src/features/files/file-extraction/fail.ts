import { UnreadableFile } from "#lib/unreadable-file.ts";

export const fail = (reason: string): never => {
  throw new UnreadableFile(reason.slice(0, 200));
};
