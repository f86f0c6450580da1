import { deriveApiBases } from "./api-bases.ts";
import { environmentOf, isLoopbackHost } from "./environment.ts";
import { readRuntimeConfig } from "./runtime-config.ts";

const config = readRuntimeConfig(document);

/** What this page is: read once, the same for its whole life. */
export const appInfo = {
  config,
  environment: environmentOf(location.hostname, config.productionHosts),
  bases: deriveApiBases(location, config),
  isLocalhost: isLoopbackHost(location.hostname),
};
