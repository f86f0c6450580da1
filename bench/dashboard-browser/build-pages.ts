import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { build } from "vite";

export const pageNames = ["null", "busbar", "ag-grid", "mui-grid"] as const;
export type PageName = (typeof pageNames)[number];

/** Builds the pages for production, as the console is built, into a folder. */
export async function buildPages(outDir: string): Promise<void> {
  await build({
    root: join(import.meta.dirname, "pages"),
    configFile: false,
    logLevel: "warn",
    plugins: [react({ compiler: true })],
    worker: { format: "es" },
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2023",
      cssTarget: ["chrome123", "firefox120", "safari17.5"],
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 4_000,
      rolldownOptions: {
        input: Object.fromEntries(pageNames.map((name) => [name, join(import.meta.dirname, "pages", `${name}.tsx`)])),
        output: { entryFileNames: "[name].js", chunkFileNames: "assets/[name]-[hash].js", assetFileNames: "assets/[name]-[hash][extname]" },
      },
      manifest: true,
    },
  });
}
