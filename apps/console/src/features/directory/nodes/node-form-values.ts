import { readLocalDateTime } from "@busbar/contract/values/local-time.ts";
import { newNodeDefaults, nodeFormSchema } from "@busbar/contract/directory/node-fields.ts";
import type { CallInput } from "@busbar/contract/endpoint.ts";
import { longestWiringReason, type Node, type NodePatch, type createNode } from "@busbar/contract/directory/nodes.ts";
import { serverClock } from "#lib/server-clock.ts";
import * as z from "zod/mini";

export type NewNodeInput = CallInput<typeof createNode>["body"];

/** What the form holds in addition to the fields of the wire. */
const formFields = {
  /** Chosen from the list; empty while a new one is typed. */
  container: z.string(),
  newContainer: z.string().check(z.maxLength(120, "Container has at most 120 characters"), z.regex(/^\P{Cc}*$/u, "Container is one line")),
  /** When the requested status shall become current, as the clocks of the node's place show it. */
  forcedTime: z.string(),
  /** Asked for where the node becomes Deployed without a wiring verdict. */
  wiringReason: z
    .string()
    .check(z.maxLength(longestWiringReason, `At most ${longestWiringReason} characters`), z.regex(/^\P{Cc}*$/u, "The reason is one line")),
};

/** Whether a status of this node is asked to be explained. */
export const asksForWiringReason = (node: Node | undefined, status: string): boolean =>
  node !== undefined && node.lacksWiringVerdict && status === "Deployed" && node.newDeploymentStatus !== "Deployed";

const schemaFor = (node: Node | undefined) => z.object({ ...nodeFormSchema(node).shape, ...formFields });
export type NodeFormValues = z.infer<ReturnType<typeof schemaFor>>;

const isComing = (read: object): boolean => "timestamp" in read && Number(read.timestamp) > serverClock.nowSeconds();

/** The contract's rules, and those between fields. */
export function nodeForm(node: Node | undefined, timezone: string) {
  return schemaFor(node).check(
    // NFM-05
    z.refine(({ container, newContainer }) => container !== "" || newContainer.trim() !== "", {
      error: "Container is required: choose one, or type a new one",
      path: ["container"],
    }),
    z.refine(({ forcedTime }) => forcedTime.trim() === "" || "timestamp" in readLocalDateTime(forcedTime, timezone), {
      error: "This is no date and time",
      path: ["forcedTime"],
    }),
    z.refine(({ forcedTime }) => node !== undefined || !isComing(readLocalDateTime(forcedTime, timezone)), {
      error: "Status Since is a time in the past",
      path: ["forcedTime"],
    }),
    z.refine(({ forcedTime, newDeploymentStatus }) => forcedTime.trim() === "" || newDeploymentStatus !== node?.currentDeploymentStatus, {
      error: "No change of status is awaited: choose another status first",
      path: ["forcedTime"],
    }),
    z.refine(({ newDeploymentStatus, wiringReason }) => !asksForWiringReason(node, newDeploymentStatus) || wiringReason.trim() !== "", {
      error: "Say why the node becomes Deployed without a wiring verdict",
      path: ["wiringReason"],
    }),
  );
}

/** What the form begins with. */
export function valuesOf(node: Node | undefined): NodeFormValues {
  const { container, ...rest } = node ? fieldsOf(node) : { ...newNodeDefaults, serialNumber: "", container: "" };
  return { ...rest, container, newContainer: "", forcedTime: "", wiringReason: "" };
}

const names = Object.keys(nodeFormSchema().shape) as (keyof ReturnType<typeof fieldsOf>)[];

function fieldsOf(node: Node) {
  return Object.fromEntries(Object.keys(nodeFormSchema().shape).map((name) => [name, node[name as keyof Node]])) as Omit<
    NodeFormValues,
    "newContainer" | "forcedTime" | "wiringReason"
  >;
}

function wireOf({ newContainer, forcedTime, wiringReason, ...values }: NodeFormValues, timezone: string) {
  const forced = forcedTime.trim() === "" ? undefined : readLocalDateTime(forcedTime, timezone);
  return {
    // NFM-05: the new one wins.
    fields: { ...values, container: newContainer.trim() || values.container },
    forced: forced && "timestamp" in forced ? forced.timestamp : undefined,
    wiringReason: wiringReason.trim(),
  };
}

export function newNodeOf(values: NodeFormValues, timezone: string): NewNodeInput {
  const { fields, forced } = wireOf(values, timezone);
  return { ...fields, ...(forced === undefined ? {} : { newDeploymentStatusUpdateTimestamp: forced }) };
}

/** Only what was changed, on the revision that was read. */
export function patchOf(node: Node, values: NodeFormValues, timezone: string): NodePatch {
  const { fields, forced, wiringReason } = wireOf(values, timezone);
  const changed = names.filter((name) => fields[name] !== node[name]).map((name) => [name, fields[name]]);
  return {
    ...(Object.fromEntries(changed) as NodePatch),
    ...(forced === undefined ? {} : { newDeploymentStatusUpdateTimestamp: forced }),
    ...(asksForWiringReason(node, fields.newDeploymentStatus) ? { wiringReason } : {}),
    revision: node.revision,
  };
}
