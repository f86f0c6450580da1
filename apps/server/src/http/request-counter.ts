import { Histogram, type Registry } from "prom-client";

export interface FinishedRequest {
  method: string;
  /** The route's template, never the address itself; "other", as the method, for a method that the address has not. */
  route: string;
  status: number;
  seconds: number;
}

/** Counts API requests for the dashboard's heading (DSH-01) and measures them for `/metrics`. */
export function createRequestCounter(registry: Registry) {
  let served = 0;
  const seconds = new Histogram({
    name: "busbar_http_request_seconds",
    help: "Time from a request's first byte to its answer's last, by route template",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 3, 10],
    registers: [registry],
  });
  return {
    served: () => served,
    count(request: FinishedRequest): void {
      served++;
      seconds.observe({ method: request.method, route: request.route, status: request.status }, request.seconds);
    },
  };
}
export type RequestCounter = ReturnType<typeof createRequestCounter>;
