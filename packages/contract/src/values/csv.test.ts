import { expect, test } from "vitest";
import { csvText } from "./csv.ts";

test("a cell with a comma, a quote or a line end is quoted; none is an empty cell, a number is no text", () => {
  expect(csvText([["a,b", 'say "x"', "line\r\nbreak", "lone\rreturn", "ünïcode;漢", ""]])).toBe(
    '"a,b","say ""x""","line\r\nbreak","lone\rreturn",ünïcode;漢,\r\n',
  );
  expect(csvText([["x"], [null, -1.5, 0]])).toBe("x\r\n,-1.5,0\r\n");
});

test("a text that begins a formula comes after an apostrophe", () => {
  expect(csvText([["=1+1", "-1", "+x", "@y", "|z", "%0", "\tw", "1-1"]])).toBe("'=1+1,'-1,'+x,'@y,'|z,'%0,'\tw,1-1\r\n");
});
