import { expect, test } from "vitest";
import { withoutSecrets } from "./without-secrets.ts";

test.each([
  ["token: eyJhbGciOi.eyJzdWIiOjF9.s1gn", "s1gn"],
  ["Cannot read eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "eyJ"],
  ["Authorization: Bearer abc.def", "abc.def"],
  ["refused Bearer abc.def", "abc.def"],
  ['{"password":"Busbar demo 1"}', "Busbar demo 1"],
  ["newPassword = 'hunter two'", "hunter two"],
  ["passcode=123456&x=1", "123456"],
  ["/locations/4?code=654321", "654321"],
  ["robin.testerly@works.example is unknown", "robin"],
  ["secret JBSWY3DPEHPK3PXPJBSWY3DP", "JBSWY3DP"],
  ["key bb_4f7a91c2d3e4f5a6b7c8d9e0", "4f7a91c2"],
])("A-03 %s loses %s", (text, secret) => {
  expect(withoutSecrets(text)).not.toContain(secret);
});

test("A-03 what says where a program failed stays", () => {
  const text = `TypeError: Cannot read properties of undefined (reading 'serialNumber') at NodeField (assets/add-location-dialog-BX3k9aP2.js:1:2345) "18003"`;
  expect(withoutSecrets(text)).toBe(text);
});
