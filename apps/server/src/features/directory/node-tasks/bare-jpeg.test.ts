import { describe, expect, test } from "vitest";
import { exifOfPhone, jfif, jpegEnd, jpegPicture, jpegSegment, jpegStart, testJpeg } from "#testing/test-jpeg.ts";
import { bareJpeg, JpegProblem } from "./bare-jpeg.ts";

const whole = (...parts: Uint8Array[]) => Buffer.concat([jpegStart, ...parts, jpegEnd]);
const problemOf = (file: Uint8Array): string => {
  try {
    bareJpeg(file);
  } catch (error) {
    if (error instanceof JpegProblem) return error.message;
    throw error;
  }
  return "";
};

describe("what is kept", () => {
  test("a bare picture comes back byte for byte, also with restarts, stuffed bytes and several scans", () => {
    const scan = jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0]));
    const progressive = whole(
      jfif,
      jpegSegment(0xdd, Buffer.from([0, 1])),
      jpegPicture({ frame: 0xc2 }),
      Buffer.from([0xff, 0xd0, 0x12, 0xff, 0x00, 0x34, 0xff, 0xd7, 0x56]),
      jpegSegment(0xc4, Buffer.alloc(18)),
      scan,
      Buffer.from([0x3f]),
    );
    for (const file of [testJpeg(), progressive]) expect(bareJpeg(file)).toEqual(file);
  });

  test("the colour profile and Adobe's transform stay", () => {
    const file = whole(jfif, jpegSegment(0xe2, "ICC_PROFILE\0\x01\x01bytes"), jpegSegment(0xee, "Adobe\0d\0\0\0\0\x01"), jpegPicture());
    expect(bareJpeg(file)).toEqual(file);
  });
});

test("position, camera, comments, previews and what follows the end are dropped", () => {
  const picture = jpegPicture();
  const file = Buffer.concat([
    whole(
      jfif,
      jpegSegment(0xe0, Buffer.concat([Buffer.from("JFXX\0\x10"), testJpeg()])),
      exifOfPhone(),
      jpegSegment(0xe1, "http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>Zircon Mills</x:xmpmeta>"),
      jpegSegment(0xe2, "MPF\0further pictures"),
      jpegSegment(0xed, "Photoshop 3.0\0"),
      jpegSegment(0xef, "of a maker"),
      jpegSegment(0xfe, "a comment"),
      Buffer.from([0xff, 0xff]),
      picture,
      jpegSegment(0xfe, "a comment after a scan"),
    ),
    testJpeg({ quantum: 9 }),
    Buffer.from("Image_UTC_Data"),
  ]);
  expect(file.toString("latin1")).toContain("Pear Phone 9");
  expect(bareJpeg(file)).toEqual(whole(jfif, picture));
});

test("a JFIF header with a preview in it is dropped", () => {
  const withPreview = jpegSegment(0xe0, Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\x01\x01abc", "latin1"));
  expect(bareJpeg(whole(withPreview, jpegPicture()))).toEqual(whole(jpegPicture()));
});

describe("what is refused", () => {
  test.each<[string, Uint8Array, string]>([
    ["nothing", Buffer.alloc(0), "is not a JPEG"],
    ["text", Buffer.from("<svg onload=alert(1)>"), "is not a JPEG"],
    ["a PNG", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), "is not a JPEG"],
    ["the start of an image alone", jpegStart, "is not a JPEG"],
    ["another first byte", Buffer.concat([Buffer.from([0xfe]), testJpeg().subarray(1)]), "is not a JPEG"],
    ["another first marker", Buffer.concat([Buffer.from([0xff, 0xe0]), testJpeg().subarray(2)]), "is not a JPEG"],
    ["an end without a picture", whole(jfif), "is not whole: the JPEG ends too early"],
    ["no frame before the scan", whole(jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])), Buffer.from([0x3f])), "is a damaged JPEG"],
    ["bytes between segments", Buffer.concat([jpegStart, jfif, Buffer.from("x"), jpegPicture(), jpegEnd]), "is a damaged JPEG"],
    ["a length that cannot be", Buffer.concat([jpegStart, Buffer.from([0xff, 0xe0, 0, 1]), jpegPicture(), jpegEnd]), "is a damaged JPEG"],
    ["a frame without pixels", testJpeg({ width: 0 }), "is a damaged JPEG"],
    ["a lossless frame", testJpeg({ frame: 0xc3 }), "is a JPEG of a kind that browsers do not show"],
    ["two frames", whole(jpegPicture(), jpegPicture()), "is a JPEG of a kind that browsers do not show"],
    ["a small file of a vast picture", testJpeg({ width: 4_001, height: 4_000 }), "is 4001 x 4000 pixels; at most 16 million are kept"],
  ])("%s", (_what, file, problem) => expect(problemOf(file)).toBe(problem));

  test("what was cut anywhere", () => {
    const file = Buffer.concat([jpegStart, jfif, exifOfPhone(), jpegPicture(), jpegEnd]);
    for (let length = 3; length < file.length; length++)
      expect([length, problemOf(file.subarray(0, length))]).toEqual([length, "is not whole: the JPEG ends too early"]);
    expect(problemOf(file)).toBe("");
  });
});
