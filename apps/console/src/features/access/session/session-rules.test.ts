import { describe, expect, test } from "vitest";
import { readLoginEntry } from "./login-entry.ts";
import { readToken, sessionStep } from "./session-token.ts";

const token = (payload: object) => `h.${Buffer.from(JSON.stringify(payload)).toString("base64url")}.s`;

describe("the check of every 10 s", () => {
  const claims = { iat: 1_000_000, exp: 1_086_400, name: "A", username: "a" };

  test("SES-02 no token, or less than 900 s left, clears the session", () => {
    expect(sessionStep(undefined, 1_000_000)).toBe("clear");
    expect(sessionStep(claims, claims.exp - 899)).toBe("clear");
    expect(sessionStep(claims, claims.exp + 1)).toBe("clear");
    expect(sessionStep({ ...claims, iat: claims.exp - 950 }, claims.exp - 900)).toBe("keep");
  });

  test("SES-03 once 900 s have passed since issue it is refreshed, not before", () => {
    expect(sessionStep(claims, claims.iat + 899)).toBe("keep");
    expect(sessionStep(claims, claims.iat + 900)).toBe("refresh");
  });
});

test("claims are read from a token, and nothing from anything else", () => {
  expect(readToken(token({ iat: 1, exp: 2, name: "Zoë 漢", username: "zoe" }))).toEqual({
    iat: 1,
    exp: 2,
    name: "Zoë 漢",
    username: "zoe",
  });
  for (const text of ["", "x", "a.b.c", token({ iat: "1" }), token([])]) expect(readToken(text)).toBeUndefined();
});

test.each([
  ["pat", { kind: "username", username: "pat" }],
  ["  pat ", { kind: "username", username: "pat" }],
  ["@pat", { kind: "username", username: "@pat" }],
  ["pat@busbar.example", { kind: "email", email: "pat@busbar.example" }],
  ["pat@nowhere", { kind: "refused" }],
  ["pat@", { kind: "refused" }],
])("LOG-06 the entry %j", (entry, result) => {
  expect(readLoginEntry(entry)).toEqual(result);
});
