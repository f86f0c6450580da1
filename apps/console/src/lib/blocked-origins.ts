const blocked = new Set<string>();

/** Notes which origins this page's security policy refused to call: the call itself fails like any network failure. */
export function watchBlockedOrigins(): void {
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    if (effectiveDirective === "connect-src" && URL.canParse(blockedURI)) blocked.add(new URL(blockedURI).origin);
  });
}

export const isBlockedOrigin = (origin: string): boolean => blocked.has(origin);
