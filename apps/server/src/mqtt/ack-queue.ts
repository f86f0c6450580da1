/** Acknowledges in the order of receipt, whatever the order of the COMMITs (MQTT 4.6): many with one write. */
export interface AckQueue {
  /** A message came; the answer is called once it is stored. */
  add(messageId: number): () => void;
  /** One that someone else acknowledges, with `answer`, when its turn has come. */
  addForeign(answer: () => void): () => void;
  /** Not acknowledged yet. */
  readonly length: number;
  /** Calls back once, when nothing is left. */
  whenEmpty(done: () => void): void;
}

interface Waiting {
  messageId: number;
  isStored: boolean;
  answer: (() => void) | undefined;
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

  const acknowledge = (from: number, end: number) => {
    if (from === end) return;
    const bytes = Buffer.allocUnsafe((end - from) * pubackBytes);
    for (let index = from, at = 0; index < end; index++, at += pubackBytes) {
      bytes.writeUInt16BE(0x4002, at);
      bytes.writeUInt16BE(queue[index]!.messageId, at + 2);
    }
    write(bytes);
  };

  const flush = () => {
    isFlushing = false;
    let from = first;
    let end = first;
    for (; end < queue.length && queue[end]!.isStored; end++) {
      const { answer } = queue[end]!;
      if (answer === undefined) continue;
      acknowledge(from, end);
      answer();
      from = end + 1;
    }
    acknowledge(from, end);
    first = end;
    if (first === queue.length || (first > 1_000 && first * 2 > queue.length)) {
      queue = queue.slice(first);
      first = 0;
    }
    noteEmpty();
  };

  const enqueue = (messageId: number, answer?: () => void) => {
    const waiting: Waiting = { messageId, isStored: false, answer };
    queue.push(waiting);
    return () => {
      waiting.isStored = true;
      if (isFlushing || queue[first] !== waiting) return;
      isFlushing = true;
      // The rest of the same COMMIT is acknowledged with it.
      setImmediate(flush);
    };
  };

  return {
    add: (messageId) => enqueue(messageId),
    addForeign: (answer) => enqueue(0, answer),
    get length() {
      return queue.length - first;
    },
    whenEmpty(done) {
      onEmpty = done;
      noteEmpty();
    },
  };
}
