/** The storage of files is away, or refuses us: no content is to blame. */
export class StorageFailure extends Error {
  // Like those of the operating system, so that services set no item aside for it.
  readonly code = "ESTORAGE";
}
