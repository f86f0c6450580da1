import { SignJWT, jwtVerify } from "jose";
import { createBoundedMap } from "#lib/bounded-map.ts";

export interface TokenClaims {
  sessionId: string;
  username: string;
  name: string;
  issuedAt: number;
  expiresAt: number;
}

export interface TokenSigner {
  sign(claims: TokenClaims): Promise<string>;
  /** The claims of a token that we signed and that has not expired; else undefined. */
  verify(token: string, nowSeconds: number): Promise<TokenClaims | undefined>;
}

const issuer = "busbar";
// A page that polls sends the same token every second or two, and its signature never changes.
const keptTokens = 5_000;
/** As jose does it, more than one text would be the same token. */
const isCanonical = (token: string): boolean =>
  token.split(".").every((part) => Buffer.from(part, "base64url").toString("base64url") === part);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Tokens are JWTs signed with HS256; `jti` names the session row, which alone decides (decision 0004). */
export function createTokenSigner(key: Uint8Array): TokenSigner {
  const verified = createBoundedMap<string, TokenClaims>(keptTokens);
  return {
    sign: ({ sessionId, username, name, issuedAt, expiresAt }) =>
      new SignJWT({ username, name })
        .setProtectedHeader({ alg: "HS256", typ: "JWT" })
        .setIssuer(issuer)
        .setJti(sessionId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(key),
    async verify(token, nowSeconds) {
      const known = verified.get(token);
      if (known) return known.expiresAt > nowSeconds ? known : undefined;
      if (!isCanonical(token)) return undefined;
      try {
        const { payload } = await jwtVerify(token, key, { algorithms: ["HS256"], issuer, currentDate: new Date(nowSeconds * 1000) });
        if (typeof payload.jti !== "string" || !uuid.test(payload.jti)) return undefined;
        const claims = {
          sessionId: payload.jti,
          username: String(payload["username"]),
          name: String(payload["name"]),
          issuedAt: payload.iat ?? 0,
          expiresAt: payload.exp ?? 0,
        };
        verified.set(token, claims);
        return claims;
      } catch {
        return undefined; // forged, expired or no token at all: all the same to us
      }
    },
  };
}
