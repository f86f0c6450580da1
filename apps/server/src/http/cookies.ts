import type { FastifyReply, FastifyRequest } from "fastify";

/** Cookies that no script reads and that only this site's own pages send. */
export interface Cookies {
  read(name: string): string | undefined;
  write(name: string, value: string, days: number): void;
}

/** Over TLS a cookie has the prefix by which browsers take it from this host alone. */
export function cookiesOf(request: FastifyRequest, reply: FastifyReply): Cookies {
  const isSecure = request.protocol === "https";
  const fullName = (name: string): string => (isSecure ? `__Host-${name}` : name);
  return {
    read(name) {
      const start = `${fullName(name)}=`;
      const pair = (request.headers.cookie ?? "").split(/;\s*/).find((each) => each.startsWith(start));
      return pair?.slice(start.length);
    },
    write(name, value, days) {
      const attributes = `Path=/; Max-Age=${days * 86_400}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
      reply.header("set-cookie", `${fullName(name)}=${value}; ${attributes}`);
    },
  };
}
