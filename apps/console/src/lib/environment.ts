export const environments = ["Production", "Staging", "Development", "Unknown"] as const;
export type Environment = (typeof environments)[number];

export const isLoopbackHost = (hostname: string): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/.test(hostname) || hostname.endsWith(".localhost");

/** ENV-03: what this page's host says about itself. A label is a part between dots or hyphens. */
export function environmentOf(hostname: string, productionHosts: readonly string[]): Environment {
  const host = hostname.toLowerCase();
  if (productionHosts.some((name) => name.toLowerCase() === host)) return "Production";
  const labels = host.split(/[.-]/);
  if (isLoopbackHost(host) || labels.includes("dev")) return "Development";
  if (labels.includes("staging") || labels.includes("stage")) return "Staging";
  return "Unknown";
}

/** ENV-05 */
export function documentTitle(environment: Environment, page: string): string {
  return environment === "Production" ? `Admin - ${page}` : `${environment} Admin - ${page}`;
}
