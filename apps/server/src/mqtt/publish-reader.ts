/** A PUBLISH of QoS 0 or 1. */
export interface ReadPublish {
  topic: string;
  qos: 0 | 1;
  retain: boolean;
  /** 0 with QoS 0. */
  messageId: number;
  payload: Buffer;
}

/** Whose bytes are read. */
export interface PublishTarget {
  take(publish: ReadPublish): void;
  /** Gets all other bytes, in their place: packets of another kind, and those that only the MQTT library can judge. */
  pass(bytes: Buffer): void;
  /** Whether the connection is still there: what follows a refused packet is not read. */
  isOpen(): boolean;
  /** Whether the next packet may be read now. */
  mayRead(): boolean;
  /** Gets what may not be read now, and gives it again with what comes later. */
  putBack(bytes: Buffer): void;
}

const publishKind = 3;
/** The rest of a longer packet is gathered by the library. */
const longestKept = 16 * 1024;
const longestLengthBytes = 4;

/**
 * Reads PUBLISH packets out of what a socket receives (MQTT 3.1.1, section 3.3), many at once. A node's connection carries hardly anything else,
 * and the library reads a packet in many small steps. A class: there is one for each connection.
 */
export class PublishReader {
  private readonly target: PublishTarget;
  private begun: Buffer | undefined = undefined;
  /** A node publishes to the same topic for ever. */
  private topic = "";

  constructor(target: PublishTarget) {
    this.target = target;
  }

  read(chunk: Buffer): void {
    const { target, begun } = this;
    const bytes = begun === undefined ? chunk : Buffer.concat([begun, chunk]);
    this.begun = undefined;
    let at = 0;
    while (at < bytes.length && target.isOpen()) {
      if (!target.mayRead()) return target.putBack(bytes.subarray(at));
      let length = 0;
      let bodyAt = at + 1;
      let byte = 0x80;
      for (let factor = 1; byte >= 0x80 && bodyAt < bytes.length && bodyAt - at <= longestLengthBytes; factor *= 0x80) {
        byte = bytes[bodyAt++]!;
        length += (byte & 0x7f) * factor;
      }
      const isLengthKnown = byte < 0x80;
      const end = bodyAt + length;
      if (!isLengthKnown || end > bytes.length) {
        const isHopeless = isLengthKnown ? length > longestKept : bodyAt - at > longestLengthBytes;
        if (isHopeless) target.pass(bytes.subarray(at));
        else this.begun = Buffer.from(bytes.subarray(at));
        return;
      }
      const first = bytes[at]!;
      const qos = (first >> 1) & 3;
      const idAt = bodyAt + 2 + (length < 2 ? 0 : bytes.readUInt16BE(bodyAt));
      const payloadAt = qos === 1 ? idAt + 2 : idAt;
      if (first >> 4 !== publishKind || (qos !== 0 && qos !== 1) || payloadAt > end) target.pass(bytes.subarray(at, end));
      else {
        target.take({
          topic: this.readTopic(bytes, bodyAt + 2, idAt),
          qos,
          retain: (first & 1) === 1,
          messageId: qos === 1 ? bytes.readUInt16BE(idAt) : 0,
          payload: bytes.subarray(payloadAt, end),
        });
      }
      at = end;
    }
  }

  private readTopic(bytes: Buffer, start: number, end: number): string {
    if (!isText(bytes, start, end, this.topic)) this.topic = bytes.toString("utf8", start, end);
    return this.topic;
  }
}

/** Whether the bytes are this text, which has no letters but those of ASCII. */
function isText(bytes: Buffer, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code !== bytes[start + index] || code > 0x7f) return false;
  }
  return true;
}
