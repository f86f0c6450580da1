/** A file that cannot be used; the message is what people read as its failed reason. */
export class ExtractionFailure extends Error {
  override name = "ExtractionFailure";
}

export const fail = (reason: string): never => {
  throw new ExtractionFailure(reason.slice(0, 200));
};
