import { expect, test } from "vitest";
import { hostStateTopic, saysOffline, stateMessage, stateTime } from "./host-state.ts";

test("the host says whether it is there, and since when, retained", () => {
  expect(hostStateTopic).toMatch(/^spBv1\.0\/STATE\/[^/]+$/);
  for (const isOnline of [true, false]) {
    const message = stateMessage(isOnline, 1_790_000_000_123);
    expect(message).toEqual({
      topic: hostStateTopic,
      payload: `{"online":${isOnline},"timestamp":1790000000123}`,
      qos: 1,
      retain: true,
    });
    expect([saysOffline(message.payload), stateTime(message.payload)]).toEqual([!isOnline, 1_790_000_000_123]);
  }
});

const latest = Date.UTC(2100, 0, 1);
test.each([
  ["OFFLINE", false, undefined],
  ["null", false, undefined],
  ["7", false, undefined],
  ["{}", false, undefined],
  ['{"online":0,"timestamp":"7"}', false, undefined],
  [`{"online":false,"timestamp":${latest}}`, true, latest],
  [`{"online":false,"timestamp":${latest + 1}}`, true, undefined],
])("%s", (payload, isOffline, time) => expect([saysOffline(payload), stateTime(payload)]).toEqual([isOffline, time]));
