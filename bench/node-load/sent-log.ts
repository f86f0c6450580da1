/** Every message that a node has sent, by its time, and whether it was acknowledged. */
export function createSentLog() {
  let times = new Float64Array(64);
  let acked = new Uint8Array(64);
  let count = 0;

  return {
    add(acquiredAtMs: number): number {
      if (count === times.length) {
        const wider = new Float64Array(count * 2);
        wider.set(times);
        times = wider;
        const widerAcked = new Uint8Array(count * 2);
        widerAcked.set(acked);
        acked = widerAcked;
      }
      times[count] = acquiredAtMs;
      return count++;
    },
    ack(index: number): void {
      acked[index] = 1;
    },
    /** One line for each message, as COPY reads it. */
    render(serial: number): string {
      let text = "";
      for (let index = 0; index < count; index++) text += `${serial}\t${times[index]}\t${acked[index] === 1 ? "t" : "f"}\n`;
      return text;
    },
    get count() {
      return count;
    },
  };
}
