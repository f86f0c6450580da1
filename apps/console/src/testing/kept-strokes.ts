const round = (value: unknown): unknown => (typeof value === "number" ? Number(value.toFixed(2)) : value);

/** A pen that draws nothing and keeps what it is asked for: a line for each stroke, and for what changes between them. */
export function keptStrokes() {
  const strokes: string[] = [];
  const own = { measureText: (text: string) => ({ width: 6 * text.length }) };
  const pen = new Proxy(own, {
    get: (known, name) =>
      Reflect.get(known, name) ??
      ((...given: unknown[]) => void strokes.push(`${String(name)} ${given.flat().map(round).join(" ")}`.trim())),
    set: (_, name, value) => {
      strokes.push(`${String(name)} = ${String(round(value))}`);
      return Reflect.set(own, name, value);
    },
  });
  return { pen: pen as unknown as CanvasRenderingContext2D, take: () => strokes.splice(0) };
}
