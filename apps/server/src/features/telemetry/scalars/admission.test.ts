import { expect, test } from "vitest";
import { createAdmission } from "./admission.ts";

test("senders wait while there is no room, by number and by bytes, and go on in their order", () => {
  const admission = createAdmission(2, 100);
  const admitted: number[] = [];
  const send = (id: number, bytes: number) => {
    admission.take(bytes);
    admission.whenRoom(() => admitted.push(id));
  };
  send(1, 10);
  send(2, 10);
  expect(admitted).toEqual([1, 2]);
  send(3, 10);
  send(4, 10);
  expect([admitted, admission.isFull(), admission.length]).toEqual([[1, 2], true, 4]);
  admission.release(10);
  expect(admitted).toEqual([1, 2]);
  admission.release(10);
  expect(admitted).toEqual([1, 2, 3, 4]);
  admission.release(10);
  admission.take(10);
  admission.grow(190);
  admission.whenRoom(() => admitted.push(5));
  expect(admitted).toEqual([1, 2, 3, 4]);
  admission.release(200);
  expect(admitted).toEqual([1, 2, 3, 4, 5]);
});
