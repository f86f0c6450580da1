import { getCustomers } from "@busbar/contract/directory/customer-tree.ts";
import { deleteCustomer } from "@busbar/contract/directory/customers.ts";
import { confirmTwoFactor } from "@busbar/contract/access/two-factor.ts";
import { getUsers } from "@busbar/contract/access/users.ts";
import { QueryClient } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { ApiError } from "#lib/api-error.ts";
import type { Client } from "./client.ts";
import { followChanges } from "./follow-changes.ts";
import { queryKeyOf } from "./query-key.ts";

function setUp(answer: () => Promise<unknown>) {
  const queries = new QueryClient();
  for (const endpoint of [getCustomers, getUsers]) queries.setQueryData(queryKeyOf(endpoint, {}), []);
  const isStale = () => [getCustomers, getUsers].map((endpoint) => queries.getQueryState(queryKeyOf(endpoint, {}))?.isInvalidated);
  const call = followChanges(vi.fn<() => Promise<unknown>>(answer) as unknown as Client, queries, { isAwaited: true });
  return { call, isStale };
}
const deletion = { params: { id: "7", code: "123456" }, query: {} };

test("what a call changes is stale after it, and nothing else", async () => {
  const { call, isStale } = setUp(() => Promise.resolve({}));
  await call(deleteCustomer, deletion);
  expect(isStale()).toEqual([true, false]);
});

test.each([
  ["of the server", new ApiError(409, "CONFLICT", "Someone was first")],
  ["that is none of its own", new Error("Someone was first")],
])("so it is after a refusal %s, which is passed on", async (_, refusal) => {
  const { call, isStale } = setUp(() => Promise.reject(refusal));
  await expect(call(deleteCustomer, deletion)).rejects.toThrow("Someone was first");
  expect(isStale()).toEqual([true, false]);
});

test.each([
  [401, "Sign in again"],
  [403, "The 2FA code is not right"],
  [429, "Too many wrong codes"],
])("being turned away with %i says nothing new and requests nothing", async (status, sentence) => {
  const { call, isStale } = setUp(() => Promise.reject(new ApiError(status, "REFUSED", sentence)));
  await expect(call(deleteCustomer, deletion)).rejects.toThrow(sentence);
  expect(isStale()).toEqual([false, false]);
});

test("bytes and addresses are those of the client", () => {
  const client = Object.assign(vi.fn<() => Promise<unknown>>(), { bytes: vi.fn<() => void>(), addressFor: vi.fn<() => void>() });
  const call = followChanges(client as unknown as Client, new QueryClient(), { isAwaited: true });
  expect([call.bytes, call.addressFor]).toEqual([client.bytes, client.addressFor]);
});

test("a call that only reads changes nothing; one that lets a person see more changes everything", async () => {
  const { call, isStale } = setUp(() => Promise.resolve({}));
  await call(getUsers, {});
  expect(isStale()).toEqual([false, false]);
  await call(confirmTwoFactor, { body: { code: "123456" } });
  expect(isStale()).toEqual([true, true]);
});
