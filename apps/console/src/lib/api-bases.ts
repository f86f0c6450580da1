import { isLoopbackHost } from "./environment.ts";

export interface ApiBases {
  v1: string;
  v2: string;
}

/**
 * Where the API answers, from the page's address.
 * ENV-01: a path that ends in `/admin` becomes `/api` and `/api/v2`. ENV-02: on localhost v1 is port 8080, v2 port 5000.
 */
export function deriveApiBases(
  page: Pick<Location, "protocol" | "hostname" | "origin" | "pathname">,
  configured: Partial<{ v1Base: string | undefined; v2Base: string | undefined }>,
): ApiBases {
  const derived = isLoopbackHost(page.hostname)
    ? { v1: `${page.protocol}//${page.hostname}:8080/api`, v2: `${page.protocol}//${page.hostname}:5000/api/v2` }
    : fromPath(page.origin, page.pathname);
  return { v1: configured.v1Base ?? derived.v1, v2: configured.v2Base ?? derived.v2 };
}

function fromPath(origin: string, pathname: string): ApiBases {
  const folder = pathname.replace(/\/(index\.html)?$/, "");
  const parent = folder.endsWith("/admin") ? folder.slice(0, -"/admin".length) : folder;
  return { v1: `${origin}${parent}/api`, v2: `${origin}${parent}/api/v2` };
}

/** A port that no one answers refuses at once; one that swallows everything must not hold up the page. */
const patienceMs = 1_500;

/**
 * The same bases, v2 at the page's own origin where its port does not answer: a tunnel may hand on the page's port under its own number, and then
 * neither the server nor the address shows that the other one is missing.
 */
export async function reachableBases(bases: ApiBases, pageOrigin: string): Promise<ApiBases> {
  const { origin, pathname } = new URL(bases.v2);
  if (origin === pageOrigin || new URL(bases.v1).origin !== pageOrigin) return bases;
  const isThere = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(patienceMs) }).then(
    ({ ok }) => ok,
    () => false, // refused, or another program that does not admit this page
  );
  return isThere ? bases : { ...bases, v2: `${pageOrigin}${pathname}` };
}
