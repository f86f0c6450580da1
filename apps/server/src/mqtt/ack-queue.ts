/** Acknowledges in the order of receipt, whatever the order of the COMMITs (MQTT 4.6): many with one write. */
export interface AckQueue {
  /** A message came; the answer is called once it is stored. */
  add(messageId: number): () => void;
  /** Not acknowledged yet. */
  readonly length: number;
  /** Calls back once, when nothing is left. */
  whenEmpty(done: () => void): void;
}

interface Waiting {
  messageId: number;
  isStored: boolean;
}

const pubackBytes = 4;

export function createAckQueue(write: (bytes: Buffer) => void): AckQueue {
  let queue: Waiting[] = [];
  /** Those before it are acknowledged. */
  let first = 0;
  let isFlushing = false;
  let onEmpty: (() => void) | undefined;

  const noteEmpty = () => {
    if (first < queue.length) return;
    onEmpty?.();
    onEmpty = undefined;
  };

  const flush = () => {
    isFlushing = false;
    let end = first;
    while (end < queue.length && queue[end]!.isStored) end++;
    const bytes = Buffer.allocUnsafe((end - first) * pubackBytes);
    for (let index = first, at = 0; index < end; index++, at += pubackBytes) {
      bytes.writeUInt16BE(0x4002, at);
      bytes.writeUInt16BE(queue[index]!.messageId, at + 2);
    }
    first = end;
    if (first > 1_000 && first * 2 > queue.length) {
      queue = queue.slice(first);
      first = 0;
    }
    if (bytes.length > 0) write(bytes);
    noteEmpty();
  };

  return {
    add(messageId) {
      const waiting: Waiting = { messageId, isStored: false };
      queue.push(waiting);
      return () => {
        waiting.isStored = true;
        if (isFlushing || queue[first] !== waiting) return;
        isFlushing = true;
        // The rest of the same COMMIT is acknowledged with it.
        setImmediate(flush);
      };
    },
    get length() {
      return queue.length - first;
    },
    whenEmpty(done) {
      onEmpty = done;
      noteEmpty();
    },
  };
}
