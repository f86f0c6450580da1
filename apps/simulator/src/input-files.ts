import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { CliError } from "./cli-options.ts";

const Credentials = z.record(z.string().check(z.regex(/^[1-9]\d{4}$/)), z.string().check(z.minLength(1)));

/** @throws CliError with a sentence that names the argument and the file */
export function readJsonFile(argument: string, path: string): unknown {
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    throw new CliError(`${argument}: the file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new CliError(`${argument}: the file ${path} is not JSON: ${(error as Error).message}`);
  }
}

/** Secrets by serial number. */
export function readCredentials(path: string): Map<number, string> {
  const read = Credentials.safeParse(readJsonFile("--credentials", path));
  if (!read.success) throw new CliError(`--credentials: the file ${path} must map 5-digit serial numbers to secrets`);
  return new Map(Object.entries(read.data).map(([serial, secret]) => [Number(serial), secret]));
}
