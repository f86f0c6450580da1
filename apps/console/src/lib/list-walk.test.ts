import { expect, test } from "vitest";
import { listWalk } from "./list-walk.ts";

test("walks the list that one came from, in its order of then", () => {
  let serials = ["10003", "10001", "10002"];
  const leave = listWalk.show(() => serials);
  expect(listWalk.around("10001")).toBeUndefined();
  listWalk.begin();
  serials = [];
  expect(listWalk.around("10001")).toEqual({ previous: "10003", next: "10002" });
  expect(listWalk.around("10002")).toEqual({ previous: "10001", next: null });
  expect(listWalk.around("10009")).toBeUndefined();
  leave();
  listWalk.begin();
  expect(listWalk.around("10001")).toBeUndefined();
});
