import { Readable } from "node:stream";
import { api } from "@busbar/contract/api.ts";
import fastify, { type FastifyInstance, type RouteHandlerMethod } from "fastify";
import { afterEach, expect, test } from "vitest";
import { takeBrokenAnswers } from "./check-answers.ts";

let app: FastifyInstance | undefined;
afterEach(async () => await app?.close());

/** What the check finds when the sign-in answers this. */
async function found(status: number, body: unknown, type = "application/json"): Promise<string> {
  app = fastify();
  const { method, path } = api.createAdministratorSession;
  const handler: RouteHandlerMethod = (_request, reply) => reply.code(status).type(type).send(body);
  app.route({ method, url: `/api${path}`, handler });
  await app.inject({ method, url: `/api${path}`, payload: {} });
  return takeBrokenAnswers().join("\n");
}

const data = { token: "t", roles: [] };

test.each([
  ["a field that is missing", 200, JSON.stringify({ data: { ...data, token: undefined } }), "token: "],
  ["a field of another type", 200, JSON.stringify({ data: { ...data, token: 7 } }), "token: "],
  ["a field that the contract does not have", 200, JSON.stringify({ data: { ...data, more: 1 } }), "does not know more"],
  ["a success without data", 200, "{}", "there is no data"],
  ["something beside the data", 200, JSON.stringify({ success: true, data }), 'beside data there is {"success":true}'],
  ["a success of another status", 201, JSON.stringify({ data }), "no such success"],
  ["a success that is no JSON", 200, "fine", "there is no data", "text/plain"],
  ["an answer that is sent in parts", 200, Readable.from(['{"data":', "{}}"]), "token: "],
  ["an error without a message", 400, JSON.stringify({ errorCode: "INVALID" }), "errorMessage: "],
  ["an error with more than its message", 400, JSON.stringify({ errorCode: "INVALID", errorMessage: "no", at: 1 }), "does not know at"],
  ["an error of an unknown code", 400, JSON.stringify({ errorCode: "ODD", errorMessage: "no" }), "ODD is no error code"],
])("A-60 %s breaks the contract", async (_case, status, body, sentence, type?: string) => {
  expect(await found(status, body, type)).toContain(sentence);
});

test("A-60 an answer as the contract has it is let pass", async () => {
  expect(await found(200, JSON.stringify({ data }))).toBe("");
  expect(await found(401, JSON.stringify({ errorCode: "UNAUTHORIZED", errorMessage: "no" }))).toBe("");
});
