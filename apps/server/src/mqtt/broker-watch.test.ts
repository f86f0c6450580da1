import { Registry } from "prom-client";
import { expect, onTestFinished, test, vi } from "vitest";
import type { NodeCredentials } from "#features/directory/node-credentials/node-credentials.service.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLog } from "#lib/log.ts";
import { connectNode } from "#testing/test-ingest.ts";
import { createBroker } from "./broker.ts";

test("A-63 each second nodes whose credential changed are looked for, each minute all; who may not be here is ended and reported", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const scopes: string[] = [];
  const revoked = new Set<string>();
  const credentials: Pick<NodeCredentials, "verify" | "findRevoked"> = {
    verify: () => Promise.resolve("hash"),
    findRevoked: (connected, scope) => {
      scopes.push(scope);
      return Promise.resolve([...connected.keys()].filter((serial) => revoked.has(serial)));
    },
  };
  const [left, refused] = [vi.fn<(serial: string) => void>(), vi.fn<(clientId: string, reason: string) => void>()];
  const broker = createBroker({
    credentials,
    ingest: { submit: () => undefined, noteDisconnected: left, isFull: () => false, whenRoom: () => undefined },
    clock: systemClock,
    log: silentLog,
    registry: new Registry(),
    isTrustedProxy: () => false,
    noteRefused: refused,
  });
  const { port } = await broker.start({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => broker.stop());
  vi.advanceTimersByTime(60_000);
  expect([scopes.length, scopes.indexOf("all"), scopes.lastIndexOf("all")]).toEqual([60, 59, 59]);

  const [stays, goes] = await Promise.all(["20001", "20002"].map((serial) => connectNode(`mqtt://127.0.0.1:${port}`, serial)));
  onTestFinished(() => void stays!.end(true));
  revoked.add("20002");
  const closed = new Promise<void>((done) => void goes!.once("close", () => done()));
  vi.advanceTimersByTime(1_000);
  await closed;
  await vi.waitFor(() => expect(left.mock.calls).toEqual([["20002"]]));
  expect([refused.mock.calls, stays!.connected]).toEqual([[["20002", "revoked"]], true]);
});
