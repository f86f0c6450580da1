import { api } from "@busbar/contract/api.ts";
import type { ApiVersion, Endpoint } from "@busbar/contract/endpoint.ts";
import { ApiErrorBody } from "@busbar/contract/errors.ts";
import * as z from "zod";

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  tags: string[];
  "x-access": string;
  security: Record<string, string[]>[];
  parameters: { in: "path" | "query"; name: string; required: boolean; schema: unknown }[];
  requestBody?: { required: true; content: Record<string, { schema: unknown }> };
  responses: Record<string, { description: string; content: { "application/json": { schema: unknown } } }>;
}

export interface OpenApiDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
}

/** API-02: the document of exactly the endpoints that the server registers, from the same contract. */
export function describeApi(version: string): OpenApiDocument {
  const paths: OpenApiDocument["paths"] = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(api)) {
    for (const apiVersion of endpoint.versions) {
      const path = `${apiVersion === "v2" ? "/v2" : ""}${endpoint.path}`;
      (paths[path] ??= {})[endpoint.method.toLowerCase()] = describeOperation(name, apiVersion, endpoint);
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Busbar API",
      version,
      description: "Times are epoch seconds. Every answer holds `data`; every error `errorCode` and `errorMessage`.",
    },
    servers: [{ url: "/api" }],
    paths,
    components: {
      schemas: { ApiError: jsonSchema(ApiErrorBody, "output") },
      securitySchemes: {
        token: { type: "apiKey", in: "header", name: "token" },
        bearer: { type: "http", scheme: "bearer" },
        apiKey: { type: "apiKey", in: "header", name: "x-api-key" },
        accessKey: { type: "http", scheme: "basic", description: "Access key and secret token" },
      },
    },
  };
}

function describeOperation(name: string, version: ApiVersion, endpoint: Endpoint): OpenApiOperation {
  const answer = (schema: unknown, description: string) => ({ description, content: { "application/json": { schema } } });
  return {
    operationId: version === "v2" ? `${name}V2` : name,
    summary: endpoint.summary,
    tags: [version],
    "x-access": endpoint.access,
    security: securityOf(version, endpoint),
    parameters: [...describeParameters("path", endpoint.params), ...describeParameters("query", endpoint.query)],
    ...(endpoint.body
      ? {
          requestBody: {
            required: true as const,
            content: {
              [endpoint.takesBytes === undefined ? "application/json" : "application/octet-stream"]: {
                schema: jsonSchema(endpoint.body, "input"),
              },
            },
          },
        }
      : {}),
    responses: {
      200: answer({ type: "object", required: ["data"], properties: { data: jsonSchema(endpoint.data, "output") } }, "Success"),
      default: answer({ $ref: "#/components/schemas/ApiError" }, "Refused or failed"),
    },
  };
}

function securityOf(version: ApiVersion, { access, apiKeyScope }: Endpoint): OpenApiOperation["security"] {
  if (access === "public") return [];
  const session = { [version === "v2" ? "bearer" : "token"]: [] };
  return apiKeyScope ? [session, { apiKey: [] }, { accessKey: [] }] : [session];
}

function describeParameters(place: "path" | "query", schema: Endpoint["params"]): OpenApiOperation["parameters"] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, "input") as { properties?: Record<string, unknown>; required?: string[] };
  return Object.entries(properties).map(([name, property]) => ({ in: place, name, required: required.includes(name), schema: property }));
}

function jsonSchema(schema: NonNullable<Endpoint["params"]>, io: "input" | "output"): unknown {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" }) as Record<string, unknown>;
  return rest;
}
