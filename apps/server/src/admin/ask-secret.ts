import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";

/** Asks for a secret without showing it; from a pipe it reads the first line. */
export async function askSecret(question: string): Promise<string> {
  const isTerminal = process.stdin.isTTY;
  if (isTerminal) process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  try {
    for await (const line of lines) return line.trimEnd();
    return "";
  } finally {
    lines.close();
    if (isTerminal) process.stderr.write("\n");
  }
}
