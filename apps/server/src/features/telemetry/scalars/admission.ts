/** Counts what is inside ingest, and makes senders wait while it is full. */
export interface Admission {
  /** Takes a message of so many bytes; `release` it once it is settled. */
  take(bytes: number): void;
  /** A message that was taken turned out larger by so much. */
  grow(bytes: number): void;
  release(bytes: number): void;
  /** Calls back at once while there is room, else when there is room again. */
  whenRoom: (done: () => void) => void;
  readonly length: number;
  isFull: () => boolean;
}

export function createAdmission(maxMessages: number, maxBytes: number): Admission {
  let messages = 0;
  let bytes = 0;
  let waiting: (() => void)[] = [];
  const isFull = () => messages > maxMessages || bytes > maxBytes;
  return {
    take(size) {
      messages++;
      bytes += size;
    },
    grow(size) {
      bytes += size;
    },
    release(size) {
      messages--;
      bytes -= size;
      if (waiting.length === 0 || isFull()) return;
      const admitted = waiting;
      waiting = [];
      for (const done of admitted) done();
    },
    whenRoom(done) {
      if (isFull()) waiting.push(done);
      else done();
    },
    get length() {
      return messages;
    },
    isFull,
  };
}
