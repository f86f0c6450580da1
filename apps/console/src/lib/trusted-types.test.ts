import { afterEach, expect, test, vi } from "vitest";
import { registerTrustedTypes } from "./trusted-types.ts";

afterEach(() => vi.unstubAllGlobals());

test("the only policy lets style text through and no tag, script or script address", () => {
  const createPolicy = vi.fn<(name: string, rules: Record<string, (text: string) => string>) => void>();
  vi.stubGlobal("trustedTypes", { createPolicy });
  registerTrustedTypes();
  const [name, rules] = createPolicy.mock.calls[0]!;
  expect([createPolicy.mock.calls.length, name, Object.keys(rules)]).toEqual([1, "default", ["createHTML"]]);
  const style = ":root{--a:1px}@media (width < 48em){.b>.c{color:red}}";
  expect(rules["createHTML"]!(style)).toBe(style);
  for (const text of ["<b>", "<img src=x onerror=alert(1)>", "x</style><script>", "<!--", "<SVG/onload=1>"]) {
    expect(() => rules["createHTML"]!(text)).toThrow("HTML is not written");
  }
});

test("a browser without trusted types needs no policy", () => {
  vi.stubGlobal("trustedTypes", undefined);
  expect(registerTrustedTypes).not.toThrow();
});
