/** What a broker's refusals mean, in one sentence that names what is refused. */
export interface BrokerProblem {
  sentence: string;
  /** Someone must act; else it may pass by itself. */
  isRefusal: boolean;
}

// Return codes of MQTT 3.1.1 and reason codes of MQTT 5.
const refusals: Readonly<Record<number, string>> = {
  2: "refuses the client id",
  3: "is not available",
  4: "refuses the user name or password of MQTT_URL",
  5: "refuses the user name or password of MQTT_URL, or the user may not connect",
  0x85: "refuses the client id",
  0x86: "refuses the user name or password of MQTT_URL",
  0x87: "refuses the user name or password of MQTT_URL, or the user may not connect",
  0x88: "is not available",
  0x89: "is busy",
  0x8a: "has banned this client",
  0x97: "has no room for more connections",
  0x9f: "takes no more connections a second",
};
const passing = new Set([3, 0x88, 0x89, 0x97, 0x9f]);

export function connectRefusal(address: string, clientId: string, code: number): BrokerProblem {
  const words = refusals[code] ?? `refuses the connection (code ${code})`;
  return {
    sentence: `the MQTT broker ${address} ${words}${words.endsWith("client id") ? ` ${clientId}` : ""}`,
    isRefusal: !passing.has(code),
  };
}

/** MQTT 3.1.1 says 1, MQTT 5 says 0x84. */
export const isForeignVersion = (code: number): boolean => code === 1 || code === 0x84;

export function subscriptionRefusal(address: string, filter: string): BrokerProblem {
  return {
    sentence: `the MQTT broker ${address} refuses the subscription to ${filter}: the user of MQTT_URL may not read it`,
    isRefusal: true,
  };
}

const clockCodes = new Set(["CERT_NOT_YET_VALID", "CERT_HAS_EXPIRED"]);

export function unreachable(address: string, error: NodeJS.ErrnoException, now: number): BrokerProblem {
  const { code = "", message } = error;
  if (clockCodes.has(code)) {
    const time = `${new Date(now).toISOString().slice(0, 19)}Z`;
    const words = code === "CERT_HAS_EXPIRED" ? "has expired" : "is not valid yet";
    return { sentence: `the certificate of the MQTT broker ${address} ${words}, or a clock is off: here it is ${time}`, isRefusal: true };
  }
  if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO/.test(code)) {
    return { sentence: `the certificate of the MQTT broker ${address} is not trusted: ${message}`, isRefusal: true };
  }
  return { sentence: `the MQTT broker ${address} cannot be reached: ${message}`, isRefusal: false };
}
