/**
 * The address of a link out of the console: plain https, without credentials, nothing that a browser reads differently from
 * a person. Undefined for anything else, which must then not become a link.
 */
export function externalUrl(text: string): URL | undefined {
  const trimmed = text.trim();
  // A browser drops tabs and line ends from an address, and takes backslashes and missing slashes for slashes.
  if (!/^https:\/\/[^\s\p{Cc}\p{Cf}\\/@][^\s\p{Cc}\p{Cf}\\]*$/iu.test(trimmed) || !URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  return url.protocol === "https:" && url.username === "" && url.password === "" ? url : undefined;
}
