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
/** So many that are acknowledged may stay in the queue of a connection that is never empty. */
const mostKept = 32;

export function createAckQueue(write: (bytes: Buffer) => void): AckQueue {
  return new OrderedAcks(write);
}

// A class: there is one for each connection, and closures would take more memory than all that it holds.
class OrderedAcks implements AckQueue {
  private readonly write: (bytes: Buffer) => void;
  private queue: Waiting[] = [];
  /** Those before it are acknowledged. */
  private first = 0;
  private isFlushing = false;
  private onEmpty: (() => void) | undefined;

  constructor(write: (bytes: Buffer) => void) {
    this.write = write;
  }

  add(messageId: number): () => void {
    return this.enqueue(messageId, undefined);
  }

  addForeign(answer: () => void): () => void {
    return this.enqueue(0, answer);
  }

  get length(): number {
    return this.queue.length - this.first;
  }

  whenEmpty(done: () => void): void {
    this.onEmpty = done;
    this.noteEmpty();
  }

  private enqueue(messageId: number, answer: (() => void) | undefined): () => void {
    const waiting: Waiting = { messageId, isStored: false, answer };
    this.queue.push(waiting);
    return () => {
      waiting.isStored = true;
      if (this.isFlushing || this.queue[this.first] !== waiting) return;
      this.isFlushing = true;
      // The rest of the same COMMIT is acknowledged with it.
      setImmediate(() => this.flush());
    };
  }

  private flush(): void {
    this.isFlushing = false;
    const { queue } = this;
    let from = this.first;
    let end = this.first;
    for (; end < queue.length && queue[end]!.isStored; end++) {
      const { answer } = queue[end]!;
      if (answer === undefined) continue;
      this.acknowledge(from, end);
      answer();
      from = end + 1;
    }
    this.acknowledge(from, end);
    this.first = end;
    if (end === queue.length || (end > mostKept && end * 2 > queue.length)) {
      this.queue = queue.slice(end);
      this.first = 0;
    }
    this.noteEmpty();
  }

  private acknowledge(from: number, end: number): void {
    if (from === end) return;
    const bytes = Buffer.allocUnsafe((end - from) * pubackBytes);
    for (let index = from, at = 0; index < end; index++, at += pubackBytes) {
      bytes.writeUInt16BE(0x4002, at);
      bytes.writeUInt16BE(this.queue[index]!.messageId, at + 2);
    }
    this.write(bytes);
  }

  private noteEmpty(): void {
    if (this.first < this.queue.length) return;
    this.onEmpty?.();
    this.onEmpty = undefined;
  }
}
