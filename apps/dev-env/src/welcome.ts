import { demoPassword, type DemoAdministrator } from "./administrators.ts";

export interface Welcome {
  consoleUrl: string;
  mqttUrl: string | undefined;
  simulatedNodes: number;
  administrators: readonly DemoAdministrator[];
}

/** What a person reads after `npm start`: where to go and how to sign in. */
export function welcomeText({ consoleUrl, mqttUrl, simulatedNodes, administrators }: Welcome): string {
  const width = Math.max(...administrators.map(({ username }) => username.length), 0);
  const accounts = administrators.flatMap(({ username, may, totpSecret, otpauth }) => [
    `    ${username.padEnd(width)}  administers ${may.padEnd(20)} 2FA secret ${totpSecret}`,
    `    ${" ".repeat(width)}  ${otpauth}`,
  ]);
  return [
    "",
    `  Busbar is ready:  ${consoleUrl}/admin/`,
    "",
    `  Sign in as (password ${demoPassword}, this demo only):`,
    ...accounts,
    `  A current 2FA code:  npm run admin -- totp <username>`,
    "",
    `  API   ${consoleUrl}/docs`,
    ...(mqttUrl === undefined ? [] : [`  MQTT  ${mqttUrl}, ${simulatedNodes} simulated nodes`]),
    "  Ctrl-C stops everything.",
    "",
  ].join("\n");
}
