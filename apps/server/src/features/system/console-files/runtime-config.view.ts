import type { RuntimeConfig } from "@busbar/contract/system/runtime-config.ts";

export interface ConsoleSettings {
  /** Ports that answer, as the console must call them; v2 is undefined when only the one origin serves it. */
  v1Port: number;
  v2Port: number | undefined;
  productionHosts: string[];
  loginServers: { name: string; origin: string }[];
  showServerFlags: boolean;
  initialCredential: string;
}

const defaultV1Port = 8080;
const defaultV2Port = 5000;
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The v2 origin for a page at this address, when it is another than the page's own. Under a port that is not ours someone hands the page on (a
 * tunnel, a container's mapping, a proxy), and the v2 port stays behind: the page's origin serves both versions.
 */
export function v2Origin(settings: ConsoleSettings, protocol: string, hostname: string, pagePort: number): string | undefined {
  if (!loopback.test(hostname) || settings.v2Port === undefined || pagePort !== settings.v1Port) return undefined;
  return `${protocol}://${hostname}:${settings.v2Port}`;
}

/** Bases are given only where the console would derive others from its address (ENV-01, ENV-02). */
export function presentRuntimeConfig(
  settings: ConsoleSettings,
  protocol: string,
  hostname: string,
  pagePort: number,
  styleNonce: string,
): RuntimeConfig {
  const { productionHosts, loginServers, showServerFlags, initialCredential } = settings;
  const config: RuntimeConfig = { productionHosts, loginServers, showServerFlags, initialCredential, styleNonce };
  if (!loopback.test(hostname)) return config;
  if (pagePort !== defaultV1Port) config.v1Base = `${protocol}://${hostname}:${pagePort}/api`;
  const v2 = v2Origin(settings, protocol, hostname, pagePort) ?? `${protocol}://${hostname}:${pagePort}`;
  if (v2 !== `${protocol}://${hostname}:${defaultV2Port}`) config.v2Base = `${v2}/api/v2`;
  return config;
}
