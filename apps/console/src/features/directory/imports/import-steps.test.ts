import { expect, test } from "vitest";
import { networkFailureMessage } from "#lib/api-error.ts";
import { followImport } from "./import-steps.ts";

/** What comes in these parts, and then ends or breaks off. */
const answerOf = (parts: readonly Uint8Array[], isBroken = false) =>
  new Response(
    new ReadableStream({
      pull(stream) {
        const part = parts[place++];
        if (part) stream.enqueue(part);
        else if (isBroken) stream.error(new Error("The connection was reset"));
        else stream.close();
      },
    }),
  );
let place = 0;

async function follow(text: string, { cuts = [], isBroken = false }: { cuts?: number[]; isBroken?: boolean } = {}) {
  place = 0;
  const bytes = new TextEncoder().encode(text);
  const edges = [0, ...cuts, bytes.length];
  const parts = edges.slice(1).map((end, index) => bytes.slice(edges[index], end));
  const steps: number[][] = [];
  const last = await followImport(answerOf(parts, isBroken), "Look at it again.", (...step) => steps.push(step)).catch(
    (error: Error) => error.message,
  );
  return { last, steps };
}

const line = (step: object) => `${JSON.stringify(step)}\n`;
const imported = { imported: [{ noun: "customer" as const, added: 1, changed: 2, left: 3 }] };
const [first, second] = [
  { done: 1, total: 40 },
  { done: 40, total: 40 },
];

test("steps are read as they come, however the lines are cut", async () => {
  const text = line(first) + line(second) + line(imported);
  for (const cuts of [[], [1], [10, 22, 23, 24, 60], Array.from({ length: text.length - 1 }, (_, index) => index + 1)])
    expect(await follow(text, { cuts })).toEqual({
      last: imported,
      steps: [
        [1, 40],
        [40, 40],
      ],
    });
});

test.each([
  ["a failure that the server names", line({ failure: "Größe is no column" }), "Größe is no column"],
  ["an end before the last step", "", `${networkFailureMessage} Look at it again.`],
  ["a last line that is not whole", line(imported).trim(), `${networkFailureMessage} Look at it again.`],
])("%s is thrown", async (_what, end, message) => {
  const text = line(first) + end;
  const inside = new TextEncoder().encode(text).length - 18;
  expect(await follow(text, { cuts: [inside] })).toEqual({ last: message, steps: [[1, 40]] });
});

test("a connection that breaks off is a network failure", async () => {
  expect(await follow(line(first), { isBroken: true })).toEqual({
    last: `${networkFailureMessage} Look at it again.`,
    steps: [[1, 40]],
  });
});
