const dayMs = 86_400_000;

export function readCookie(name: string): string | undefined {
  for (const pair of document.cookie.split("; ")) {
    const [key = "", ...rest] = pair.split("=");
    if (key === name) return decodeURIComponent(rest.join("="));
  }
  return undefined;
}

/** @param days lifetime; fractions are fine */
export function writeCookie(name: string, value: string, days: number): void {
  const expires = new Date(Date.now() + days * dayMs).toUTCString();
  document.cookie = `${name}=${encodeURIComponent(value)}; expires=${expires}; path=/; SameSite=Strict${location.protocol === "https:" ? "; Secure" : ""}`;
}

export function removeCookie(name: string): void {
  writeCookie(name, "", -1);
}
