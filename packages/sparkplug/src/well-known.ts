/** Metrics that the standard itself names; they are always addressed by name, never by alias. */
export const wellKnownMetrics = { bdSeq: "bdSeq", rebirth: "Node Control/Rebirth" } as const;
