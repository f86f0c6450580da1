import type { Handlers } from "#http/endpoints.ts";
import type { IssuedCredentials } from "./issued-credentials.service.ts";

export function nodeCredentialsHandlers(credentials: IssuedCredentials) {
  return {
    getNodeCredentials: ({ query }) => credentials.states(query.serials),
    createNodeCredentials: ({ body }, { caller }) => credentials.issue(caller, body),
    revokeNodeCredentials: ({ body }, { caller }) => credentials.revoke(caller, body),
    createCredentialSheet: async ({ body }, { caller }) => ({
      status: 200,
      headers: { "content-type": "application/pdf", "content-disposition": 'attachment; filename="node-credentials.pdf"' },
      body: await credentials.sheet(caller, body.credentials),
    }),
  } satisfies Partial<Handlers>;
}
