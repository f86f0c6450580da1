import { Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createConnectLimit } from "./connect-limit.ts";
import { createStrangers } from "./strangers.ts";

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy();
});
const newSocket = () => {
  const socket = new Socket();
  opened.push(socket);
  return socket;
};

function room(most: number) {
  const turnedAway: Socket[] = [];
  const strangers = createStrangers(most, (socket) => turnedAway.push(socket));
  const enter = (address: string) => {
    const socket = newSocket();
    return { socket, hasEntered: strangers.enter(socket, address) };
  };
  return { strangers, turnedAway, enter };
}

test("A-40 who crowds the place gives way, oldest first, and no one of another network", () => {
  const { strangers, turnedAway, enter } = room(4);
  const [node, ...crowd] = ["198.51.100.1", "203.0.113.7", "203.0.113.7", "203.0.113.7"].map(enter);
  expect(enter("198.51.100.2").hasEntered).toBe(true);
  expect(enter("198.51.100.3").hasEntered).toBe(true);
  expect(turnedAway).toEqual([crowd[0]!.socket, crowd[1]!.socket]);
  expect(enter("203.0.113.7").hasEntered).toBe(true);
  expect(turnedAway).toHaveLength(3);
  expect(turnedAway).not.toContain(node!.socket);
  expect(strangers.size).toBe(4);
});

test("A-63 where networks are as crowded, the newcomer's own gives way, and one that has left crowds nothing", () => {
  const { strangers, turnedAway, enter } = room(4);
  const [own, , other] = ["203.0.113.7", "203.0.113.7", "198.51.100.1", "198.51.100.1"].map(enter);
  enter("203.0.113.7");
  expect(turnedAway).toEqual([own!.socket]);
  strangers.leave(other!.socket);
  enter("203.0.113.7");
  enter("192.0.2.1");
  expect(turnedAway).toHaveLength(2);
  expect(turnedAway).not.toContain(other!.socket);
});

test("A-40 who says nothing gives way to a node behind the same address; who asks does not give way to its neighbours", () => {
  const { strangers, turnedAway, enter } = room(3);
  const [asking, silent, other] = Array.from({ length: 3 }, () => enter("203.0.113.7"));
  strangers.noteAsked(asking!.socket);
  expect(enter("203.0.113.7").hasEntered).toBe(true);
  expect(turnedAway).toEqual([silent!.socket]);
  strangers.noteAsked(other!.socket);
  for (const { socket } of [enter("203.0.113.7")]) strangers.noteAsked(socket);
  const late = enter("203.0.113.7");
  expect([late.hasEntered, turnedAway.at(-1)]).toEqual([false, late.socket]);
  strangers.leave(asking!.socket);
  expect(enter("203.0.113.7").hasEntered).toBe(true);
});

test("A-40 addresses of one IPv6 network count together, and an address that a proxy reports replaces the proxy's", () => {
  const { strangers, turnedAway, enter } = room(3);
  const [first] = ["2001:db8::1", "2001:db8::2"].map(enter);
  const proxied = enter("127.0.0.1");
  expect(strangers.enter(proxied.socket, "198.51.100.1")).toBe(true);
  expect(strangers.size).toBe(3);
  enter("198.51.100.2");
  expect(turnedAway).toEqual([first!.socket]);
});

test("A-40 a node that connects too often is refused, owes nothing for it, and costs no other node anything", () => {
  const clock = createManualClock();
  const mayConnect = createConnectLimit(clock);
  const letIn = (serial: string, tries: number) => Array.from({ length: tries }, () => mayConnect(serial)).filter(Boolean).length;
  expect(letIn("10001", 1_000)).toBe(60);
  expect(letIn("10002", 1)).toBe(1);
  clock.advance(1);
  expect(letIn("10001", 1_000)).toBe(1);
  clock.advance(10);
  expect(letIn("10001", 1_000)).toBe(10);
});
