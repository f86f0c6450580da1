import type { FastifyReply, FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { cookiesOf } from "./cookies.ts";

function cookies(protocol: string, cookie?: string) {
  const set: unknown[] = [];
  const reply = { header: (name: string, value: string) => set.push([name, value]) } as unknown as FastifyReply;
  return { ...cookiesOf({ protocol, headers: { cookie } } as unknown as FastifyRequest, reply), set };
}

test("a cookie is for this site's own pages and no script; over TLS it is taken from this host alone", () => {
  const [plain, secure] = [cookies("http"), cookies("https")];
  for (const each of [plain, secure]) each.write("device", "x1", 2);
  expect(plain.set).toEqual([["set-cookie", "device=x1; Path=/; Max-Age=172800; HttpOnly; SameSite=Strict"]]);
  expect(secure.set).toEqual([["set-cookie", "__Host-device=x1; Path=/; Max-Age=172800; HttpOnly; SameSite=Strict; Secure"]]);
});

test("a cookie is read by its whole name", () => {
  const sent = "mydevice=a; device=b=c;device2=d; __Host-device=e";
  expect([cookies("http", sent).read("device"), cookies("https", sent).read("device")]).toEqual(["b=c", "e"]);
  expect([cookies("https", "device=b").read("device"), cookies("http").read("device")]).toEqual([undefined, undefined]);
});
