// In this order: the later ones also name the earlier ones' engines.
const browsers = [
  [/\bEdg(?:e|A|iOS)?\/(\d+)/, "Edge"],
  [/\b(?:OPR|Opera)\/(\d+)/, "Opera"],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, "Firefox"],
  [/\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/, "Chrome"],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\//, "Safari"],
] as const;
const systems = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
] as const;

/** `Firefox 141 on Windows` of what a browser says of itself; another program's own words stay as they are. */
export function shortUserAgent(userAgent: string): string {
  const browser = browsers.map(([pattern, name]) => ({ name, version: pattern.exec(userAgent)?.[1] })).find(({ version }) => version);
  if (!browser) return userAgent;
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  return `${browser.name} ${browser.version}${system === undefined ? "" : ` on ${system}`}`;
}
