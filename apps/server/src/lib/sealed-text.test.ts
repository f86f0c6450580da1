import { expect, test } from "vitest";
import { isSealedText, openSealedText, sealText } from "./sealed-text.ts";

const key = Buffer.alloc(32, 1);

test("A-63 a sealed text is opened by its key for its owner alone, as it was", () => {
  for (const text of ["", "s3cret", "Grüße 😀", "x".repeat(10_000)]) {
    const sealed = sealText(text, key, "user 7");
    expect([isSealedText(sealed), text !== "" && sealed.includes(text), openSealedText(sealed, key, "user 7")]).toEqual([
      true,
      false,
      text,
    ]);
    expect(() => openSealedText(sealed, key, "user 8")).toThrow("");
    expect(() => openSealedText(sealed, Buffer.alloc(32, 2), "user 7")).toThrow("");
    expect(sealText(text, key, "user 7")).not.toBe(sealed);
  }
});

test("A-63 a sealed text that anyone changed, wherever, is not opened; one from before is taken as it is", () => {
  const sealed = sealText("s3cret", key, "user 7");
  const at = sealed.indexOf(":") + 1;
  const bytes = Buffer.from(sealed.slice(at), "base64");
  expect(bytes.length).toBe(12 + 16 + 6);
  for (let place = 0; place < bytes.length; place++) {
    const changed = Buffer.from(bytes);
    changed[place]! ^= 1;
    expect(() => openSealedText(sealed.slice(0, at) + changed.toString("base64"), key, "user 7")).toThrow("");
  }
  expect([isSealedText("JBSWY3DP"), openSealedText("JBSWY3DP", key, "user 7")]).toEqual([false, "JBSWY3DP"]);
});
