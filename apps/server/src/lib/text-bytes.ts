/** UTF-8 of a long text that is made piece by piece: memory is taken once, and touched as the text grows. */
export class TextBytes {
  #bytes: Buffer;
  #length = 0;

  /** @param expected of bytes; what is longer is copied as it grows */
  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafeSlow(expected);
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

  #makeRoom(needed: number): void {
    if (this.#length + needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.ceil((this.#length + needed) * 1.25));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
