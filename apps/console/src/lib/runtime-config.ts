import { RuntimeConfig } from "@busbar/contract/system/runtime-config.ts";

/** What the server wrote into the page; defaults when it wrote nothing, as in development. */
export function readRuntimeConfig(page: Document): RuntimeConfig {
  const text = page.getElementById("runtime-config")?.textContent;
  return RuntimeConfig.parse(text ? JSON.parse(text) : {});
}
