import { expect, test } from "vitest";
import { passwordProblem } from "./account-rules.ts";
import { commonPasswords } from "./common-passwords.ts";

const user = { isAdministrator: false, context: ["jdoe", "Jordana", "Doesworth", "jordana@alder.example", "alder", "Alder Pumping"] };
const problem = (password: string, isAdministrator = false) => passwordProblem(password, { ...user, isAdministrator });

test("lengths: 8 for a user, 12 for an administrator, 128 at most", () => {
  expect(problem("kx7-Qm2")).toMatch("at least 8 characters");
  expect(problem("kx7-Qm2z")).toBeUndefined();
  expect(problem("kx7-Qm2z.pl", true)).toMatch("administrator's password has at least 12");
  expect(problem("kx7-Qm2z.plv", true)).toBeUndefined();
  expect(problem("kx7-Qm2z".repeat(16))).toBeUndefined();
  expect(problem(`${"kx7-Qm2z".repeat(16)}a`)).toMatch("at most 128");
});

test("letters, digits and # . ! & % + - _ only", () => {
  expect(problem("kx7#.!&%+-_Qm")).toBeUndefined();
  for (const sign of [" ", "'", '"', "$", "@", "*", "/", "\\", "ä", "€", "\u0000", "\n"])
    expect(problem(`kx7Qm2zp${sign}`)).toMatch("made of");
});

test("no common password passes: not as it is, not in capitals, not with the usual ornaments", () => {
  expect(commonPasswords().size).toBeGreaterThan(5_000);
  for (const password of commonPasswords())
    expect([password, problem(password)]).toEqual([password, expect.stringMatching("too easy|made of")]);
  for (const password of [
    "PASSWORD1",
    "P4ssw0rd!",
    "Summer2031",
    "--dragon--",
    "Qwertyuiop#12",
    "87654321",
    "aaaaaaaaaa",
    "Monkey.99",
    "19851225",
    "12251985",
    "07041976",
  ])
    expect([password, problem(password)]).toEqual([password, expect.stringContaining("too easy to guess")]);
});

test("A-63 each of the words that everyone here would try first is no password, with up to three letters of one's own", () => {
  for (const word of ["busbar", "electric", "sensor", "node", "motor"]) {
    expect([word, problem(`${word}-xq2Z-90`)]).toEqual([word, expect.stringContaining("what others know")]);
    expect([word, problem(`${word}-xq2Zk-90`)]).toEqual([word, undefined]);
  }
  const bob = { isAdministrator: false, context: ["bob", "al"] };
  expect([passwordProblem("bob-xqz-90", bob), passwordProblem("al-xqz-9000", bob)]).toEqual([
    expect.stringContaining("what others know"),
    undefined,
  ]);
});

test("what others know of the account is no password, neither is our own name", () => {
  for (const password of ["jordana-1", "Jordana.Doesworth", "alderpumping1", "jdoejdoe", "Busbar-2026", "jordana-alder-77"])
    expect([password, problem(password)]).toEqual([password, expect.stringContaining("what others know")]);
  for (const password of ["jordana-velvet", "correct-horse", "Busbar-demo-1", "8#9.1!7%"])
    expect([password, problem(password)]).toEqual([password, undefined]);
});
