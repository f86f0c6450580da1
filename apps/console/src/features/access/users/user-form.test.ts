import { userFlags, type User } from "@busbar/contract/access/users.ts";
import { expect, test } from "vitest";
import { changesOf, emptyUser, valuesOf } from "./user-form.ts";

const user = {
  ...emptyUser(),
  id: 4,
  username: "kim",
  firstName: "Kim",
  lastName: "Doe",
  email: "kim@works.example",
  customerCode: "works",
} as unknown as User;

test("a new user is active, with notifications of connectivity and of the fault library alone", () => {
  const values = emptyUser();
  expect(values.activeStatus).toBe("ACTIVE");
  expect(userFlags.filter(({ name }) => values[name]).map(({ name }) => name)).toEqual([
    "receiveConnectivityNotifications",
    "receiveFaultLibraryNotifications",
  ]);
});

test("changes are what a person changed, never a password", () => {
  const values = valuesOf(user);
  expect(changesOf(user, values)).toEqual({});
  expect(changesOf(user, { ...values, lastName: "Roe", receiveDailyReport: true, password: "x", passwordConfirm: "x" })).toEqual({
    lastName: "Roe",
    receiveDailyReport: true,
  });
  expect(changesOf(user, { ...values, receiveConnectivityNotifications: false, customerCode: "" })).toEqual({
    receiveConnectivityNotifications: false,
    customerCode: "",
  });
});
