import { setImmediate as nextTurn } from "node:timers/promises";
import type { Client } from "aedes";
import { expect, test, vi } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createFlowControl } from "./flow-control.ts";

function createFlows(isFull: () => boolean = () => false) {
  const clock = createManualClock();
  let resumeAll = () => undefined as void;
  const flows = createFlowControl({
    clock,
    messagesPerSecond: 1_000,
    maxWaitingPerClient: 4,
    isFull,
    whenRoom: (resume) => void (resumeAll = resume),
  });
  const open = () => {
    const client = {
      isReading: true,
      _parsingBatch: 9,
      closed: false,
      pause: () => void (client.isReading = false),
      resume: () => void (client.isReading = true),
    };
    return { client, flow: flows.open(client as unknown as Client) };
  };
  return { clock, flows, open, makeRoom: () => resumeAll() };
}

test("a client with too much unsettled is read again when half of it is settled", async () => {
  const { flows, open } = createFlows();
  const { client, flow } = open();
  for (let count = 0; count < 4; count++) flows.begin(flow);
  expect(client.isReading).toBe(false);
  flows.end(flow);
  await nextTurn();
  expect([client.isReading, flows.mayRead(flow)]).toEqual([false, false]);
  flows.end(flow);
  await nextTurn();
  expect([client.isReading, flows.mayRead(flow)]).toEqual([true, true]);
  expect(client._parsingBatch).toBe(1);
});

test("clients that met a full ingest go on one by one, until it is full again", async () => {
  let room = 0;
  const { flows, open, makeRoom } = createFlows(() => room <= 0);
  const clients = [open(), open(), open()];
  for (const { client, flow } of clients) {
    expect(flows.mayRead(flow)).toBe(false);
    client.resume = () => {
      client.isReading = true;
      room--;
    };
  }
  const reading = () => clients.map(({ client }) => client.isReading);
  await nextTurn();
  expect(reading()).toEqual([false, false, false]);
  room = 2;
  makeRoom();
  await nextTurn();
  expect(reading()).toEqual([true, true, false]);
  room = 5;
  makeRoom();
  await nextTurn();
  expect(reading()).toEqual([true, true, true]);
});

test("a client is read on only when all that one COMMIT settles has made room", async () => {
  const { flows, open } = createFlows();
  const { client, flow } = open();
  for (let count = 0; count < 4; count++) flows.begin(flow);
  for (let count = 0; count < 4; count++) {
    flows.end(flow);
    expect(client.isReading).toBe(false);
  }
  await nextTurn();
  expect(client.isReading).toBe(true);
});

test("a closed client is forgotten", async () => {
  const { flows, open } = createFlows();
  const { client, flow } = open();
  for (let count = 0; count < 4; count++) flows.begin(flow);
  flows.close(flow);
  for (let count = 0; count < 4; count++) flows.end(flow);
  await nextTurn();
  expect(client.isReading).toBe(false);
});

test("a client that is ahead of its rate is read again when it is not any more, though all is settled", async () => {
  const { clock, flows, open } = createFlows();
  const { client, flow } = open();
  // A second's messages are saved up.
  for (let count = 0; count < 1_000; count++) {
    flows.begin(flow);
    flows.end(flow);
  }
  expect(client.isReading).toBe(true);
  for (let round = 0; round < 2; round++) {
    flows.begin(flow);
    flows.end(flow);
    await nextTurn();
    expect([client.isReading, flows.mayRead(flow)]).toEqual([false, false]);
    clock.advance(0.001);
    await vi.waitUntil(() => client.isReading);
    expect(flows.mayRead(flow)).toBe(true);
  }
});
