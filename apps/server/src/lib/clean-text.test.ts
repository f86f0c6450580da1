import { expect, test } from "vitest";
import { cleanText } from "./clean-text.ts";
import { visibleText } from "./visible-text.ts";

test.each([
  ["a\u0000b\u001Fc\u007Fd\u009Fe", 64, "abcde"],
  ["\u202Aab\u202E\u2066c\u2069", 64, "abc"],
  [" ~\u00A0é漢 ", 64, "~\u00A0é漢"],
  ["abcdef", 3, "abc"],
  ["ab cd", 3, "ab"],
  ["ab\u{1F600}", 3, "ab\uFFFD"],
  ["ab\u{1F600}", 4, "ab\u{1F600}"],
  ["\uD800a", 9, "\uFFFDa"],
])("%j of at most %d is %j", (text, most, clean) => expect(cleanText(text, most)).toBe(clean));

test.each([
  ["a\tb\r\n", 64, "a\u2409b\u240D\u240A"],
  ["\u0000\u001F \u007E", 64, "\u2400\u241F ~"],
  ["\u007F\u009F\u00A0", 64, "\\u007f\\u009f\u00A0"],
  ["\u200Ba\u2028\u2029\u202A\u202E\u2066\u2069\uFEFF", 64, "\\u200ba\\u2028\\u2029\\u202a\\u202e\\u2066\\u2069\\ufeff"],
  ["abcdef", 3, "abc"],
  ["ab\u{1F600}", 3, "ab\uFFFD"],
])("%j of at most %d is shown as %j", (text, most, shown) => expect(visibleText(text, most)).toBe(shown));
