import { expect, test } from "vitest";
import { externalUrl } from "./external-url.ts";

test.each([
  ["https://docs.busbar.example/field-guide/network", "docs.busbar.example"],
  ["  https://tickets.example/RMA-17?x=1#note ", "tickets.example"],
  ["HTTPS://Tickets.Example/", "tickets.example"],
  ["https://tickets.example:8443/a@b", "tickets.example:8443"],
  // A look-alike shows its true name.
  ["https://b\u00fcsbar.example/", "xn--bsbar-kva.example"],
])("%j is a link to %s", (text, host) => {
  expect(externalUrl(text)?.host).toBe(host);
});

test.each([
  "",
  " ",
  "docs.busbar.example",
  "javascript:alert(1)",
  " javascript:alert(1)",
  "java\tscript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "javascript://https://docs.example/%0Aalert(1)",
  "\u0001javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "file:///etc/passwd",
  "blob:https://docs.example/1",
  "ftp://docs.example",
  "http://docs.example",
  "//evil.example",
  "\\\\evil.example",
  "/evil",
  "https:evil.example",
  "https:/evil.example",
  "https:///evil.example",
  "https:\\\\evil.example",
  "https://\\evil.example",
  "https://good.example\\@evil.example",
  "https://good.example@evil.example/",
  "https://user:secret@evil.example/",
  "https://@evil.example/",
  "https://",
  "https://?",
  "https://exa mple.example",
  "https://exam\tple.example",
  "https://exam\nple.example",
  "https://docs.example/\u202etxt.exe",
  "https://docs.example/\u0000",
  "https://[::1",
  "https://docs.example:99999/",
  "ht\ttps://docs.example",
  "view-source:https://docs.example",
  "intent://docs.example#Intent;scheme=https;end",
])("%j is no link", (text) => {
  expect(externalUrl(text)).toBeUndefined();
});
