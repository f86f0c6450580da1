import * as z from "zod/mini";
import { findConfigParameter, type ConfigValues } from "./config-catalogue.ts";
import { configDatatypes, datatypeRule, type ConfigDatatype, type ConfigRule } from "./config-rules.ts";
import { endpoint } from "../endpoint.ts";
import { SerialNumber } from "../values/serial-number.ts";

/** What a key allows: by the catalogue, else by the datatype that the node reported. */
export function configRule(key: string, datatype?: ConfigDatatype): ConfigRule | undefined {
  return findConfigParameter(key)?.rule ?? (datatype && datatypeRule(datatype));
}

/** The one spelling of a value of a key; undefined when the key does not allow it. */
export function canonicalConfigValue(key: string, text: string, datatype?: ConfigDatatype): string | undefined {
  return configRule(key, datatype)?.canonical(text);
}

/** Whether two spellings mean the same: 460 and 460.0, yes and YES. A value that the key does not allow is compared as it is. */
export function isSameConfigValue(key: string, a: string, b: string, datatype?: ConfigDatatype): boolean {
  return (canonicalConfigValue(key, a, datatype) ?? a.trim()) === (canonicalConfigValue(key, b, datatype) ?? b.trim());
}

/**
 * Why a value may not be written, as words that follow the key; undefined when it may.
 * @param values what the node reported; rules between parameters are checked as far as they are known
 * @param datatype as the node reported it, for a key that is in no catalogue
 */
export function configProblem(key: string, text: string, values: ConfigValues, datatype?: ConfigDatatype): string | undefined {
  const rule = configRule(key, datatype);
  if (!rule) return "is no parameter that can be changed";
  const value = rule.canonical(text);
  if (value === undefined) return `must be ${rule.allowed}`;
  return relationProblem(key, Number(value), values);
}

function relationProblem(key: string, value: number, values: ConfigValues): string | undefined {
  const isAlternating = values.get("eq_type") === "ac";
  if (!isAlternating) return undefined;
  if (key === "np_frequency" && value === 0) return "is 0 for dc only";
  if (key === "np_poles" && value === 0) return "is 0 for dc only";
  if (key !== "np_running_speed") return undefined;
  const synchronousRpm = (120 * Number(values.get("np_frequency"))) / Number(values.get("np_poles"));
  if (!Number.isFinite(synchronousRpm) || synchronousRpm === 0) return undefined;
  // A synchronous motor runs at this speed, an induction motor below it; none runs above.
  const isSynchronous = values.get("starter") === "Synchronous";
  if (value < synchronousRpm || (isSynchronous && value === synchronousRpm)) return undefined;
  return `must be below the synchronous speed of ${Math.round(synchronousRpm)} rpm (120 x np_frequency / np_poles)`;
}

// A path cannot carry an empty part, nor one of dots alone: a tilde comes before them, and before what looks like such a spelling.
const needsTilde = /^~*\.{0,2}$/;
const hasTilde = /^~+\.{0,2}$/;

/** A key or value as a part of the path, before it is URL-encoded: `~` for an empty one. */
export function toPathPart(text: string): string {
  return needsTilde.test(text) ? `~${text}` : text;
}

function fromPathPart(part: string): string {
  return hasTilde.test(part) ? part.slice(1) : part;
}

const PathPart = z.pipe(z.string(), z.transform(fromPathPart));

export const getNodeConfig = endpoint("GET /api/nodes/{serial}/config", {
  access: "staff",
  summary: "The configuration of a node, asked of the node itself: it must be connected and answers within 15 s",
  params: z.object({ serial: SerialNumber }),
  data: z.record(z.string(), z.string()),
});

/** CFG-02: a key that is in no catalogue is checked by its datatype. */
export const getNodeConfigTypes = endpoint("GET /api/nodes/{serial}/configtypes", {
  access: "staff",
  summary: "Datatypes of a node's configuration values as it last reported them, for keys whose range is not known",
  params: z.object({ serial: SerialNumber }),
  data: z.record(z.string(), z.enum(configDatatypes)),
});

/** CFG-04: no body; every part URL-encoded, `~` for an empty value. */
export const setNodeConfigValue = endpoint("PATCH /api/nodes/{serial}/config/{key}/{newValue}/2fa/{code}/previous/{oldValue}", {
  access: "staff",
  summary: "Changes one value on a node while it is still the previous one; answers what the node confirmed, within 15 s",
  changes: ["/nodes/{serial}/overview", "/nodes/{serial}/tasks"],
  // Key, values and code are checked with the audit log at hand: every attempt is in it, also a refused one.
  params: z.object({ serial: SerialNumber, key: PathPart, newValue: PathPart, code: PathPart, oldValue: PathPart }),
  data: z.string(),
});
