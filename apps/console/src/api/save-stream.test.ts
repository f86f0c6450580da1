import { expect, test } from "vitest";
import { saveStream } from "./save-stream.ts";

test("COM-04 a download that breaks off is a network failure, and no half a file is saved", async () => {
  const seen: number[] = [];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (seen.length === 0) controller.enqueue(new Uint8Array(10));
      else controller.error(new TypeError("network error"));
    },
  });
  await expect(saveStream(new Response(body), "x.zip", (bytes) => seen.push(bytes))).rejects.toMatchObject({
    status: 0,
    message: "Unable to connect to server. Please try again later.",
  });
  expect(seen).toEqual([10]);
});
