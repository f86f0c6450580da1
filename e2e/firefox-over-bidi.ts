import { createRequire } from "node:module";

interface Socket {
  send: (this: Socket, data: string, ...rest: unknown[]) => void;
  emit(event: "message", data: Buffer, isBinary: boolean): void;
}
const { ws } = createRequire(import.meta.url)("playwright-core/lib/utilsBundle") as { ws: { prototype: Socket } };

/**
 * Playwright asks every Firefox for media features, which Firefox ESR does not know yet over WebDriver BiDi, and gives up without them.
 * No job needs them: they are answered here.
 */
const { send } = ws.prototype;
ws.prototype.send = function (this: Socket, data, ...rest) {
  const { id, method } = JSON.parse(data) as { id: number; method: string };
  if (method !== "emulation.setMediaFeaturesOverride") return send.call(this, data, ...rest);
  queueMicrotask(() => this.emit("message", Buffer.from(JSON.stringify({ type: "success", id, result: {} })), false));
};
