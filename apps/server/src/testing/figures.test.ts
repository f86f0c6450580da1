import { expect, test } from "vitest";
import { figuresOfPart, keptFile, ordersOfServer } from "../../../../tools/figures.ts";

// Most of them no other test could notice: one more in a batch, a minute less of patience. Whoever changes one means it.
test("A-63 every limit, batch, lease and wait of the server is what is kept of it", async () =>
  expect(await figuresOfPart("apps/server")).toMatchFileSnapshot(keptFile("apps/server")));

// Rows of one moment, more of them than a list shows, and two who change one at once are in hardly any test.
test("A-63 the order and the end of every list that the server reads, and what it locks, are what is kept of it", async () =>
  expect(await ordersOfServer()).toMatchFileSnapshot(keptFile("apps-server-orders")));
