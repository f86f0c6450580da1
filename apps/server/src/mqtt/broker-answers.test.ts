import { expect, test } from "vitest";
import { connectRefusal, isForeignVersion, subscriptionRefusal, unreachable } from "./broker-answers.ts";

test.each([
  [2, "refuses the client id busbar-1", true],
  [3, "is not available", false],
  [4, "refuses the user name or password of MQTT_URL", true],
  [5, "refuses the user name or password of MQTT_URL, or the user may not connect", true],
  [0x85, "refuses the client id busbar-1", true],
  [0x86, "refuses the user name or password of MQTT_URL", true],
  [0x87, "refuses the user name or password of MQTT_URL, or the user may not connect", true],
  [0x88, "is not available", false],
  [0x89, "is busy", false],
  [0x8a, "has banned this client", true],
  [0x97, "has no room for more connections", false],
  [0x9f, "takes no more connections a second", false],
  [0x80, "refuses the connection (code 128)", true],
])("CONNACK %d: the broker %s", (code, words, isRefusal) => {
  expect(connectRefusal("b:1883", "busbar-1", code)).toEqual({ sentence: `the MQTT broker b:1883 ${words}`, isRefusal });
});

test("only two codes say that the broker speaks another version", () => {
  expect([0, 1, 2, 0x83, 0x84, 0x85].filter(isForeignVersion)).toEqual([1, 0x84]);
});

test("a subscription that is refused is named", () => {
  expect(subscriptionRefusal("b:1883", "spBv1.0/#")).toEqual({
    sentence: "the MQTT broker b:1883 refuses the subscription to spBv1.0/#: the user of MQTT_URL may not read it",
    isRefusal: true,
  });
});

test.each([
  ["CERT_HAS_EXPIRED", "the certificate of the MQTT broker b:1883 has expired, or a clock is off: here it is 2026-03-01T02:03:04Z", true],
  [
    "CERT_NOT_YET_VALID",
    "the certificate of the MQTT broker b:1883 is not valid yet, or a clock is off: here it is 2026-03-01T02:03:04Z",
    true,
  ],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "the certificate of the MQTT broker b:1883 is not trusted: said", true],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "the certificate of the MQTT broker b:1883 is not trusted: said", true],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "the certificate of the MQTT broker b:1883 is not trusted: said", true],
  ["ECONNREFUSED", "the MQTT broker b:1883 cannot be reached: said", false],
  [undefined, "the MQTT broker b:1883 cannot be reached: said", false],
])("%s", (code, sentence, isRefusal) => {
  const error = Object.assign(new Error("said"), code === undefined ? {} : { code });
  expect(unreachable("b:1883", error, Date.UTC(2026, 2, 1, 2, 3, 4, 567))).toEqual({ sentence, isRefusal });
});
