const dayMs = 86_400_000;

/** Where small values are remembered between visits. */
export interface CookieJar {
  read: (name: string) => string | undefined;
  /** `days` is the lifetime; fractions are fine. */
  write: (name: string, value: string, days: number) => void;
  remove: (name: string) => void;
}

/** This page's cookies: sent to this site only, and only over TLS where the page came over TLS. */
export const pageCookies: CookieJar = {
  read: (name) => {
    for (const pair of document.cookie.split("; ")) {
      const [key = "", ...rest] = pair.split("=");
      if (key === name) return decoded(rest.join("="));
    }
    return undefined;
  },
  write: (name, value, days) => {
    const expires = new Date(Date.now() + days * dayMs).toUTCString();
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `${name}=${encodeURIComponent(value)}; expires=${expires}; path=/; SameSite=Strict${secure}`;
  },
  remove: (name) => pageCookies.write(name, "", -1),
};

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined; // another program's cookie of that name
  }
}
