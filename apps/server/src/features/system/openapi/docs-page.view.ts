import type { OpenApiDocument, OpenApiOperation } from "./openapi.view.ts";

const style = `
  :root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  h2 { font: 600 1rem ui-monospace, monospace; margin: 2rem 0 .25rem; overflow-wrap: anywhere; }
  p { margin: .25rem 0; } dt { font-weight: 600; margin-top: .5rem; } dd { margin: 0; }
  pre { background: color-mix(in srgb, currentColor 8%, transparent); padding: .75rem; border-radius: 4px; overflow: auto; }
  b { display: inline-block; min-width: 4rem; }`;

/** The document as a page that a person reads. */
export function docsPage(document: OpenApiDocument, nonce: string): string {
  const operations = Object.entries(document.paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => section(`${document.servers[0]?.url ?? ""}${path}`, method, operation)),
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Busbar API</title><style nonce="${escape(nonce)}">${style}</style></head><body><main>
<h1>Busbar API</h1><p>${escape(document.info.description)}</p><p><a href="/openapi.json">openapi.json</a></p>
${operations.join("\n")}
</main></body></html>`;
}

function section(path: string, method: string, operation: OpenApiOperation): string {
  const inputs = operation.parameters.map(
    ({ name, in: place, required, schema }) =>
      `<dt><code>${escape(name)}</code></dt><dd>in ${place}${required ? ", required" : ""}: <code>${escape(JSON.stringify(schema))}</code></dd>`,
  );
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const answer = operation.responses["200"]?.content["application/json"].schema;
  return `<section><h2><b>${escape(method.toUpperCase())}</b> ${escape(path)}</h2><p>${escape(operation.summary)}. Access: ${escape(operation["x-access"])}.</p>
${inputs.length ? `<dl>${inputs.join("")}</dl>` : ""}
${body ? `<p>Body</p><pre tabindex="0">${escape(JSON.stringify(body, null, 2))}</pre>` : ""}
<details><summary>Answer</summary><pre tabindex="0">${escape(JSON.stringify(answer, null, 2))}</pre></details></section>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
