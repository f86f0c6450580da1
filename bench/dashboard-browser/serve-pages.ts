import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { BenchContext } from "../lib/bench-context.ts";
import { pageNames, type PageName } from "./build-pages.ts";

interface ManifestEntry {
  file: string;
  css?: string[];
  imports?: string[];
}
type Manifest = Record<string, ManifestEntry>;

const types: Record<string, string> = { ".js": "text/javascript", ".css": "text/css" };

/** Serves the built pages as `/{name}.html`; returns the origin. */
export async function servePages({ undo }: BenchContext, folder: string): Promise<string> {
  const manifest = JSON.parse(readFileSync(join(folder, ".vite", "manifest.json"), "utf8")) as Manifest;
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://host").pathname;
    const page = pageNames.find((name) => path === `/${name}.html`);
    try {
      const body = page === undefined ? readFileSync(join(folder, path)) : pageHtml(manifest, page);
      response.writeHead(200, { "content-type": page === undefined ? (types[extname(path)] ?? "application/octet-stream") : "text/html" });
      response.end(body);
    } catch {
      response.writeHead(404).end(); // such as the icon that browsers ask for
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  undo.add(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function pageHtml(manifest: Manifest, name: PageName): string {
  const styles = [...stylesOf(manifest, `${name}.tsx`)].map((file) => `<link rel="stylesheet" href="/${file}">`).join("");
  const script = manifest[`${name}.tsx`]?.file ?? "";
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title>${styles}<body><div id="root"></div><script type="module" src="/${script}"></script></body></html>`;
}

function stylesOf(manifest: Manifest, key: string, seen = new Set<string>()): Set<string> {
  const entry = manifest[key];
  if (!entry || seen.has(key)) return new Set();
  seen.add(key);
  const inherited = (entry.imports ?? []).flatMap((next) => [...stylesOf(manifest, next, seen)]);
  return new Set([...inherited, ...(entry.css ?? [])]);
}
