import type { Authenticate, Call, Handlers } from "#http/endpoints.ts";
import { AppError } from "#lib/errors.ts";
import { fileNotFound, type DownloadService } from "./download-admin.service.ts";

export function downloadAdminHandlers(service: DownloadService, authenticate: Authenticate) {
  return {
    async downloadAdmin({ params }, call) {
      const { fileName, contentType, content } = await service.take(params.token, await userOf(call, authenticate));
      return {
        status: 200,
        headers: { "content-type": contentType, "content-disposition": `inline; filename="${fileName}"` },
        body: content,
      };
    },
  } satisfies Partial<Handlers>;
}

// A tab carries no header of ours, but the console's cookie, which the browser sends only with what this site asks for.
async function userOf({ headers }: Call, authenticate: Authenticate): Promise<number> {
  const bearer = /^Bearer (.+)$/.exec(String(headers["authorization"] ?? ""))?.[1];
  const cookie = /(?:^|;\s*)admin-token=([^;]+)/.exec(String(headers["cookie"] ?? ""))?.[1];
  const token = bearer ?? cookie;
  if (token === undefined) throw fileNotFound();
  try {
    return (await authenticate(decodeURIComponent(token), { mayBeStale: false })).userId;
  } catch (error) {
    if (error instanceof URIError || (error instanceof AppError && error.status === 401)) throw fileNotFound();
    throw error;
  }
}
