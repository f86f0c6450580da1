import { expect, test } from "vitest";
import { figuresOfPart, keptFile, ordersOfServer } from "../../../../tools/figures.ts";

// The same as `tools/figures.test.ts`, of the same kept texts: whoever changes the server runs its tests.
test("A-63 every limit, batch, lease and wait of the server is what is kept of it", async () =>
  expect(await figuresOfPart("apps/server")).toMatchFileSnapshot(keptFile("apps/server")));

test("A-63 the order and the end of every list that the server reads, and what it locks, are what is kept of it", async () =>
  expect(await ordersOfServer()).toMatchFileSnapshot(keptFile("apps-server-orders")));
