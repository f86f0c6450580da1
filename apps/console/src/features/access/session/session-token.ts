import * as z from "zod/mini";

/** What the console reads from a token; only the server judges it. */
const Claims = z.object({ iat: z.number(), exp: z.number(), name: z._default(z.string(), ""), username: z._default(z.string(), "") });
export type TokenClaims = z.infer<typeof Claims>;

/** The claims of a token, or undefined when it is none. */
export function readToken(token: string): TokenClaims | undefined {
  try {
    const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(payload), (char) => char.charCodeAt(0));
    const claims = Claims.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
    return claims.success ? claims.data : undefined;
  } catch {
    return undefined; // no token of ours
  }
}

export const refreshAfterSeconds = 900;
export const minimumRemainingSeconds = 900;

/** What the check of every 10 s has to do (SES-02, SES-03). */
export function sessionStep(claims: TokenClaims | undefined, nowSeconds: number): "clear" | "refresh" | "keep" {
  if (!claims || claims.exp - nowSeconds < minimumRemainingSeconds) return "clear";
  return nowSeconds - claims.iat >= refreshAfterSeconds ? "refresh" : "keep";
}
