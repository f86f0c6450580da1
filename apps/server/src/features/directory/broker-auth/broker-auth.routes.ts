import { timingSafeEqual, createHash } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import * as z from "zod/mini";
import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";
import { forbidden, notFound } from "#lib/errors.ts";
import type { BrokerAuth } from "./broker-auth.service.ts";

export interface BrokerAuthDependencies {
  auth: BrokerAuth;
  /** What a broker shows; undefined: no one may ask. */
  token: string | undefined;
  /** The virtual host of RabbitMQ in which the platform listens: nodes may be in no other. */
  vhost: string;
}

const word = z.string().check(z.maxLength(1_024));
const { catch: unreadable } = z;
const RabbitUser = z.object({ username: word, password: z.optional(word), client_id: z.optional(word), vhost: z.optional(word) });
const RabbitVhost = z.object({ username: word, vhost: word });
const RabbitResource = z.object({ username: word, vhost: word, resource: word, name: word, permission: word });
const RabbitTopic = z.object({ username: word, vhost: word, permission: word, routing_key: word });
const EmqxConnect = z.object({ username: z.nullish(word), password: z.nullish(word), clientid: word });
const EmqxAction = z.object({
  username: z.nullish(word),
  clientid: word,
  topic: word,
  action: z.enum(["publish", "subscribe"]),
  qos: z._default(z.coerce.number(), 0),
  // Subscriptions have none, and the broker sends what it makes of that; a publication with one that cannot be read is refused.
  retain: unreadable(z._default(z.union([z.boolean(), z.stringbool()]), false), true),
});

/**
 * Answers a broker elsewhere that asks over HTTP for each connection, publication and subscription: RabbitMQ's `rabbitmq_auth_backend_http`
 * (the token in the path, as it sends no header) and EMQX's HTTP authenticator and authorizer (the token as bearer).
 */
export function brokerAuthRoutes(app: FastifyInstance, { auth, token, vhost: ownVhost }: BrokerAuthDependencies): void {
  const check = (given: string | undefined) => {
    if (token === undefined) throw notFound("Broker authentication, which needs BROKER_AUTH_TOKEN,");
    if (given === undefined || !timingSafeEqual(digest(given), digest(token))) throw forbidden("The token is not BROKER_AUTH_TOKEN");
  };

  void app.register((scope, _options, done) => {
    scope.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "string", bodyLimit: 8_192 }, (_request, body, parsed) =>
      parsed(null, Object.fromEntries(new URLSearchParams(body as string))),
    );
    const rabbit = <Body extends { vhost?: string | undefined }>(
      name: string,
      schema: z.ZodMiniType<Body>,
      answer: (asked: Body) => boolean | Promise<boolean>,
    ) =>
      scope.post<{ Params: { token: string } }>(`/broker-auth/rabbitmq/:token/${name}`, async ({ params, body }, reply) => {
        check(params.token);
        const asked = schema.safeParse(body);
        if (!asked.success) return plain(reply, false);
        // Who signs in as `plant:10234` is in the virtual host `plant`; the user that is asked about is 10234.
        const isOurs = (asked.data.vhost ?? ownVhost) === ownVhost;
        return plain(reply, isOurs && (await answer(asked.data)));
      });
    rabbit("user", RabbitUser, ({ username, password, client_id }) => auth.mayConnect(username, password ?? "", client_id));
    rabbit("vhost", RabbitVhost, ({ username }) => serialNumberPattern.test(username));
    rabbit("resource", RabbitResource, ({ username, resource, name, permission }) => {
      if (!serialNumberPattern.test(username)) return false;
      if (resource === "queue") return new RegExp(`^mqtt-subscription-${username}qos[01]$`).test(name);
      return resource === "exchange" && name === "amq.topic" && (permission === "read" || permission === "write");
    });
    rabbit("topic", RabbitTopic, ({ username, permission, routing_key }) => {
      const topic = mqttTopic(routing_key);
      if (permission === "read") return auth.maySubscribe(username, topic);
      return permission === "write" && auth.mayPublish(username, topic, { qos: 0, retain: false });
    });
    done();
  });

  const emqx = <Body>(name: string, schema: z.ZodMiniType<Body>, answer: (asked: Body) => boolean | Promise<boolean>) =>
    app.post(`/broker-auth/emqx/${name}`, async ({ headers, body }) => {
      check(/^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1]);
      const asked = schema.safeParse(body);
      return { result: asked.success && (await answer(asked.data)) ? "allow" : "deny", is_superuser: false };
    });
  emqx("authentication", EmqxConnect, ({ username, password, clientid }) => auth.mayConnect(username ?? "", password ?? "", clientid));
  emqx("authorization", EmqxAction, ({ username, clientid, topic, action, qos, retain }) => {
    if (username !== clientid) return false;
    return action === "subscribe" ? auth.maySubscribe(clientid, topic) : auth.mayPublish(clientid, topic, { qos, retain });
  });
}

const plain = (reply: FastifyReply, isAllowed: boolean) => reply.type("text/plain; charset=utf-8").send(isAllowed ? "allow" : "deny");
const digest = (text: string) => createHash("sha256").update(text).digest();

/** RabbitMQ writes a topic as a routing key: levels by dots, and the namespace as `spBv1___0` with `mqtt.sparkplug`, as it must be. */
function mqttTopic(routingKey: string): string {
  const levels = routingKey
    .replace(/^spBv1(?:___|\.)0(?=\.)/, "spBv1_0")
    .replaceAll(".", "/")
    .replaceAll("*", "+");
  return levels.replace(/^spBv1_0/, "spBv1.0");
}
