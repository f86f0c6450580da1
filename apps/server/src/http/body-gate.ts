import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { errorCodes } from "@busbar/contract/errors.ts";
import { AppError, tooManyRequests } from "#lib/errors.ts";

/** Whose body it is: each part of the name has its share. */
export interface BodyHolder {
  /** The key or the person. */
  key: string;
  customer: string | undefined;
  network: string;
}

export interface BodyGate {
  /**
   * Reads a large body. It takes a place with its first byte, and keeps it until it is answered.
   * @throws AppError 408 for one that does not come, 413, 429 when there is no place
   */
  read(body: Readable, holder: BodyHolder, reply: FastifyReply): Promise<Buffer>;
}

export interface BodyLimits {
  bytes: number;
  /** Large bodies are held in memory while they come and while they are stored. */
  atOnce: number;
  ofKey: number;
  ofCustomer: number;
  ofNetwork: number;
  /** Without a byte for so long, or slower than that many bytes a second, it is cut. */
  idleMs: number;
  bytesPerSecond: number;
}

interface Place {
  holder: BodyHolder;
  /** It gives its place back; undefined once the whole body is there. */
  cut: ((error: AppError) => void) | undefined;
}

const defaultLimits: Omit<BodyLimits, "bytes"> = {
  atOnce: 8,
  ofKey: 3,
  ofCustomer: 5,
  ofNetwork: 5,
  idleMs: 5_000,
  bytesPerSecond: 2_048,
};
const retryAfterSeconds = 5;
const noPlace = () => tooManyRequests("Too many files are being uploaded at the moment. Please try again", retryAfterSeconds);

export function createBodyGate(given: Pick<BodyLimits, "bytes"> & Partial<BodyLimits>): BodyGate {
  const limits = { ...defaultLimits, ...given };
  const places = new Set<Place>();
  const ofKey = (key: string) => [...places].filter(({ holder }) => holder.key === key).length;

  /** In what is full, a key that has more places gives its newest one to one that has fewer. */
  const makeRoom = (crowd: readonly Place[], most: number, key: string) => {
    if (crowd.length < most) return;
    const open = crowd.filter(({ cut }) => cut !== undefined).toReversed();
    const [greediest] = open.toSorted((a, b) => ofKey(b.holder.key) - ofKey(a.holder.key));
    if (!greediest || ofKey(greediest.holder.key) <= ofKey(key) + 1) throw noPlace();
    greediest.cut?.(noPlace());
  };

  const enter = (place: Place, reply: FastifyReply) => {
    const { key, customer, network } = place.holder;
    const crowd = (isMember: (holder: BodyHolder) => boolean) => [...places].filter(({ holder }) => isMember(holder));
    makeRoom(
      crowd((holder) => holder.key === key),
      limits.ofKey,
      key,
    );
    if (customer !== undefined)
      makeRoom(
        crowd((holder) => holder.customer === customer),
        limits.ofCustomer,
        key,
      );
    makeRoom(
      crowd((holder) => holder.network === network),
      limits.ofNetwork,
      key,
    );
    makeRoom([...places], limits.atOnce, key);
    places.add(place);
    // Also when whoever sends goes away.
    reply.raw.once("close", () => places.delete(place));
  };

  return {
    read: (body, holder, reply) =>
      new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        const place: Place = { holder, cut: fail };
        const beganAt = performance.now();
        let length = 0;
        let lastAt = beganAt;
        const watch = setInterval(() => {
          const seconds = (performance.now() - beganAt) / 1000;
          const isSlow = seconds * 1000 > limits.idleMs && length < seconds * limits.bytesPerSecond;
          if (isSlow || performance.now() - lastAt > limits.idleMs) {
            fail(new AppError(408, errorCodes.invalid, "The file comes too slowly. Please try again"));
          }
        }, limits.idleMs / 5);
        const leave = () => {
          clearInterval(watch);
          body.off("data", take).off("end", finish).off("error", abort).off("close", abort);
          place.cut = undefined;
        };
        function fail(error: AppError): void {
          leave();
          places.delete(place);
          body.pause();
          chunks.length = 0;
          // What goes on coming is not read.
          reply.header("connection", "close");
          reject(error);
        }
        const take = (chunk: Buffer) => {
          try {
            if (length === 0) enter(place, reply);
          } catch (error) {
            return fail(error as AppError);
          }
          length += chunk.length;
          lastAt = performance.now();
          if (length > limits.bytes) fail(tooLarge(limits.bytes));
          else chunks.push(chunk);
        };
        const finish = () => {
          leave();
          resolve(Buffer.concat(chunks, length));
        };
        const abort = () => fail(new AppError(400, errorCodes.invalid, "The file did not come whole"));
        body.on("data", take).once("end", finish).once("error", abort).once("close", abort);
      }),
  };
}

export const tooLarge = (bytes: number): AppError =>
  new AppError(413, errorCodes.tooLarge, `The request is larger than ${bytes / 1_048_576} MB`);
