import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#lib/clock.ts";
import { createSpokenVersion } from "./spoken-version.ts";
import { createStandingLink } from "./standing-link.ts";

/** Takes connections and never says a word. */
const silent = createServer();
beforeAll(async () => {
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
});
afterAll(() => void silent.close());

const attempted = async () => {
  const link = createStandingLink({
    url: new URL(`mqtt://127.0.0.1:${(silent.address() as AddressInfo).port}`),
    version: createSpokenVersion(systemClock),
    clientId: "busbar-n05",
    session: "kept",
    subscriptions: [],
    onMessage: () => undefined,
    onUp: () => undefined,
    isFull: () => false,
    whenRoom: () => undefined,
    inTurn: (attempt) => attempt(),
    clock: systemClock,
    limitedLog: () => undefined,
    firstBackoffMs: 10,
  });
  const connection = once(silent, "connection");
  link.start();
  const [socket] = (await connection) as [Socket];
  socket.resume().on("error", () => undefined);
  return { link, socket };
};

test.each(["drop", "end"] as const)(
  "an attempt under way goes no further once %s is called: the session may be another worker's",
  async (how) => {
    const { link, socket } = await attempted();
    const closed = once(socket, "close");
    const ended = link[how](60_000);
    await closed;
    await ended;
    expect(link.current()).toBeUndefined();
  },
);
