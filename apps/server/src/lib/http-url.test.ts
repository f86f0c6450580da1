import { expect, test } from "vitest";
import { httpUrl } from "./http-url.ts";

test.each([
  ["127.0.0.1", "http://127.0.0.1:8080"],
  ["busbar.example", "http://busbar.example:8080"],
  ["::1", "http://[::1]:8080"],
])("the address of %s is one that a browser takes", (host, url) => {
  expect(httpUrl(host, 8080)).toBe(url);
});
