/** A file that cannot be used, however often it is tried; the message is what people read as its failed reason. */
export class UnreadableFile extends Error {
  override name = "UnreadableFile";
}
