import type { RuntimeConfig } from "@busbar/contract/system/runtime-config.ts";
import { rememberedLogin } from "./remembered-login.ts";

type LoginServer = RuntimeConfig["loginServers"][number];

/** The console's own server first, then those that the runtime config offers (LOG-04). */
export function offeredServers(config: RuntimeConfig): LoginServer[] {
  const isOwn = ({ origin }: LoginServer) => origin === "";
  const own = config.loginServers.find(isOwn) ?? { name: "This server", origin: "" };
  return [own, ...config.loginServers.filter((server) => !isOwn(server))];
}

/** Origin of the server that this browser signs in to and calls; undefined is the console's own. */
export function chosenOrigin(config: RuntimeConfig, isLocalhost: boolean): string | undefined {
  if (!isLocalhost && !config.showServerFlags) return undefined;
  const name = rememberedLogin.server();
  return offeredServers(config).find((server) => server.name === name)?.origin || undefined;
}
