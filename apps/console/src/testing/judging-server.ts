import { api } from "@busbar/contract/api.ts";
import type { Endpoint } from "@busbar/contract/endpoint.ts";
import * as z from "zod/v4/core";
import { ApiError } from "#lib/api-error.ts";
import { invented } from "./walk-screens.ts";

/** What comes of whatever is to be changed: refused by its first field, changed by someone else meanwhile, or done. */
export type Judgement = "refused" | "conflict" | "done";

const endpoints = new Map(Object.values<Endpoint>(api).map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]));

/** Someone else saved everything once more. */
const savedAgain = (answer: unknown): unknown => {
  if (Array.isArray(answer)) return answer.map(savedAgain);
  if (typeof answer !== "object" || answer === null || answer instanceof Blob) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, name === "revision" && typeof value === "number" ? value + 1 : savedAgain(value)]),
  );
};

function judge(judgement: Judgement, body: unknown): void {
  if (judgement === "conflict") throw new ApiError(409, "CONFLICT", "kim changed it meanwhile. Load it again and repeat your change");
  if (judgement === "done") return;
  const field = Object.keys(body ?? {}).find((name) => name !== "revision");
  throw new ApiError(400, "INVALID", `${field === undefined ? "" : `${field}: `}is not what the server takes`, field);
}

/** What was saved is what was sent. */
function asSaved(answer: unknown, { params, body }: Record<string, unknown>): unknown {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer) || answer instanceof Blob) return answer;
  const sent = Object.entries({ ...(body as object | undefined) }).filter(([name]) => name in answer && name !== "revision");
  const id = Number((params as { id?: string } | undefined)?.id);
  return { ...answer, ...Object.fromEntries(sent), ...("id" in answer && Number.isSafeInteger(id) ? { id } : {}) };
}

/** A server whose answers are invented, and which judges what it is to change. */
export function judgingServer() {
  const server = invented({ first: 0, rows: 4 });
  /** `wasJudged`: whether something was, since it was last said that nothing is. `isHeld`: what is judged is not answered yet. */
  const state: { judgement: Judgement; wasJudged: boolean; isHeld: boolean } = { judgement: "done", wasJudged: false, isHeld: false };
  const held: (() => void)[] = [];
  for (const [name, answer] of Object.entries(server.answers)) {
    // What is saved as a file can fail, and succeed afterwards, as a change can.
    const isJudged = !name.startsWith("GET ") || endpoints.get(name)!.answersBytes === true;
    server.answers[name] = (input) => {
      if (isJudged) {
        state.wasJudged = true;
        const give = () => {
          judge(state.judgement, input["body"]);
          return asSaved(answer(input), input);
        };
        return state.isHeld ? new Promise<void>((go) => held.push(go)).then(give) : give();
      }
      return state.judgement === "conflict" ? savedAgain(answer(input)) : answer(input);
    };
  }
  /** What was asked since the last time: what is to be changed in its order, then what is asked for. */
  const takeAsked = (): string[] => {
    const lines = server.asked.splice(0).map(({ endpoint, input }) => requestLine(endpoint, input));
    const isRead = (line: string) => line.startsWith("GET ");
    return [...lines.filter((line) => !isRead(line)), ...new Set(lines.filter(isRead).toSorted())];
  };
  /** Answers what was held, and holds no more. */
  const release = () => {
    state.isHeld = false;
    for (const go of held.splice(0)) go();
  };
  return { call: server.call, takeAsked, release, state };
}

function requestLine(name: string, { params = {}, query, body }: Record<string, unknown>): string {
  const [method = "", path = ""] = name.split(" ");
  const address = path.replaceAll(/\{(\w+)\}/g, (_, each: string) => (params as Record<string, string>)[each] ?? `{${each}}`);
  const asked = new URLSearchParams(JSON.parse(JSON.stringify(query ?? {})) as Record<string, string>).toString();
  const endpoint = endpoints.get(name)!;
  const isBytes = body instanceof Uint8Array;
  const wrong = body === undefined || isBytes || !endpoint.body ? undefined : z.safeParse(endpoint.body, body).error?.issues[0];
  return [
    method,
    `${address}${asked === "" ? "" : `?${asked}`}`,
    ...(body === undefined ? [] : [isBytes ? `<${body.length} bytes>` : JSON.stringify(body)]),
    ...(wrong ? [`BREAKS THE CONTRACT: ${wrong.path.join(".")} ${wrong.message}`] : []),
  ].join(" ");
}
