import type { Client } from "aedes";
import { expect, test } from "vitest";
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
  return { flows, open, makeRoom: () => resumeAll() };
}

test("a client with too much unsettled is read again when half of it is settled", () => {
  const { flows, open } = createFlows();
  const { client, flow } = open();
  for (let count = 0; count < 4; count++) flows.begin(flow);
  expect(client.isReading).toBe(false);
  flows.end(flow);
  expect(client.isReading).toBe(false);
  flows.end(flow);
  expect(client.isReading).toBe(true);
  expect(client._parsingBatch).toBe(1);
});

test("clients that met a full ingest go on one by one, until it is full again", () => {
  let room = 0;
  const { flows, open, makeRoom } = createFlows(() => room <= 0);
  const clients = [open(), open(), open()];
  for (const { flow } of clients) {
    flows.begin(flow);
    flows.end(flow);
  }
  const reading = () => clients.map(({ client }) => client.isReading);
  expect(reading()).toEqual([false, false, false]);
  for (const { client } of clients) {
    client.resume = () => {
      client.isReading = true;
      room--;
    };
  }
  room = 2;
  makeRoom();
  expect(reading()).toEqual([true, true, false]);
  room = 5;
  makeRoom();
  expect(reading()).toEqual([true, true, true]);
});

test("a closed client is forgotten", () => {
  const { flows, open } = createFlows();
  const { client, flow } = open();
  for (let count = 0; count < 4; count++) flows.begin(flow);
  flows.close(flow);
  for (let count = 0; count < 4; count++) flows.end(flow);
  expect(client.isReading).toBe(false);
});
