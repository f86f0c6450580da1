import * as z from "zod/mini";

/** A server that the login screen offers on localhost (LOG-04). `origin` is empty for the console's own. */
export const LoginServer = z.object({ name: z.string(), origin: z.string() });

/**
 * What the server passes to the console inside index.html (`<script type="application/json" id="runtime-config">`), so that one
 * build runs anywhere. Absent bases are derived from the page's address (ENV-01, ENV-02).
 */
export const RuntimeConfig = z.object({
  v1Base: z.optional(z.string()),
  v2Base: z.optional(z.string()),
  productionHosts: z._default(z.array(z.string()), []),
  loginServers: z._default(z.array(LoginServer), []),
  showServerFlags: z._default(z.boolean(), false),
  /** A public label of this client, sent as bearer at login; it opens nothing (LOG-07). */
  initialCredential: z._default(z.string(), "busbar-console"),
  /** The nonce of this page's style tags. */
  styleNonce: z.optional(z.string()),
  /** When the page was made, epoch milliseconds: the console goes by the server's clock, not by its computer's. */
  serverTimeMs: z.optional(z.number()),
});
export type RuntimeConfig = z.infer<typeof RuntimeConfig>;
