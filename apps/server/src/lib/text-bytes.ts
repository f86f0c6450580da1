/** Of bytes: what is less is made anew as quickly, and many of them would push out what is not. */
const leastKept = 65_536;

/** A text that holds a little more than the one before fits as well: of sizes there are four from each to its double. */
function sizeFor(bytes: number): number {
  if (bytes < leastKept) return bytes;
  const step = 2 ** (Math.floor(Math.log2(bytes)) - 2);
  return Math.ceil(bytes / step) * step;
}

/** Memory of texts that are made again and again: what is new each time waits for the next collection of the whole heap, and brings it forward. */
export class TextMemory {
  /** The smallest first. */
  readonly #free: Buffer[] = [];
  readonly #mostFree: number;

  /** @param mostFree how many pieces are kept for the next text */
  constructor(mostFree: number) {
    this.#mostFree = mostFree;
  }

  /** The smallest free piece that holds so many bytes, unless it is more than twice too large. */
  take(bytes: number): Buffer {
    const index = this.#free.findIndex(({ length }) => length >= bytes && length <= bytes * 2);
    const [fitting] = index < 0 ? [] : this.#free.splice(index, 1);
    return fitting ?? Buffer.allocUnsafeSlow(sizeFor(bytes));
  }

  /** For the next text: no one reads it any more. Of too many the smallest is forgotten. */
  giveBack(piece: Buffer): void {
    if (piece.length < leastKept) return;
    this.#free.push(piece);
    this.#free.sort((a, b) => a.length - b.length);
    if (this.#free.length > this.#mostFree) this.#free.shift();
  }
}

/** UTF-8 of a long text that is made piece by piece: memory is taken once, and touched as the text grows. */
export class TextBytes {
  readonly #memory: TextMemory;
  #bytes: Buffer;
  #length = 0;

  /** @param expected of bytes; what is longer is copied as it grows */
  constructor(expected: number, memory: TextMemory) {
    this.#memory = memory;
    this.#bytes = memory.take(expected);
  }

  add(text: string): void {
    const room = this.#bytes.length - this.#length;
    // Three bytes for each of its units at most.
    if (text.length * 3 > room) this.#makeRoom(Buffer.byteLength(text));
    this.#length += this.#bytes.write(text, this.#length);
  }

  whole(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Of a text that no one reads any more. */
  giveBack(): void {
    this.#memory.giveBack(this.#bytes);
  }

  #makeRoom(needed: number): void {
    if (this.#length + needed <= this.#bytes.length) return;
    const larger = this.#memory.take(Math.ceil((this.#length + needed) * 1.25));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#memory.giveBack(this.#bytes);
    this.#bytes = larger;
  }
}
