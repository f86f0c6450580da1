import * as z from "zod/mini";
import { preparedEndpoint } from "../endpoint.ts";

/** Seconds in which a file can be fetched once. */
export const downloadLifeSeconds = 120;

export const downloadAdmin = preparedEndpoint("GET /api/v2/download-admin/{token}", {
  // A new tab sends no header: who may fetch is known by the session cookie, or by a bearer token.
  access: "public",
  summary: "A file that was made for the signed-in administrator: once, within two minutes",
  params: z.object({ token: z.string().check(z.regex(/^[\w-]{43}$/, "This is no download token")) }),
  answersBytes: true,
  data: z.unknown(),
});
