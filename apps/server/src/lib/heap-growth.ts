import { setFlagsFromString } from "node:v8";

/**
 * V8 lets the heap of each thread grow to 512 MB before it collects it for the first time, and then to four times what lives in it, which under
 * load is mostly messages that have been stored. These collect sooner, and forbid nothing: a large fleet may take what it needs.
 * For threads that are started later; the growth counts for the calling one too.
 */
export function keepHeapsSmall(): void {
  setFlagsFromString("--initial-old-space-size=64");
  setFlagsFromString("--heap-growing-percent=40");
}
