import { createHmac } from "node:crypto";
import { errorCodes } from "@busbar/contract/errors.ts";
import { isRuleOfSchema } from "#db/transaction.ts";
import { AppError } from "#lib/errors.ts";
import { createBoundedMap } from "#lib/bounded-map.ts";

/** What a demo user may read (USR-11): numbers, times and kinds, but no word of a customer or of people. */
export interface DemoRedaction {
  /** Names are replaced, lists in the order of names are put in that of the new ones: the old order would reveal them. */
  answer: (answer: unknown, path: string) => unknown;
  /** Of a message, the words that are known to be the product's own stay, with inserted texts replaced as in an answer. */
  error: (error: unknown) => unknown;
}

const hidden = "hidden from demo users";

/**
 * Names of fields whose texts are numbers, times, kinds or the product's own words. A text under any other name is hidden, so that a new field
 * shows nothing until someone has thought about it.
 */
const plain = new Set(
  `id key serialNumber nodeSerialNumber secondaryNodeSerialNumber oldSerialNumber newSerialNumber formerSerialNumber fieldSerialNumber revision removed fileName eventName waveformFileName earlierEventName laterEventName picture sourceFile md5
  type kind status eventKind format frequency result scopes roles activeStatus actorType action first division groundingType
  currentDeploymentStatus newDeploymentStatus deploymentStatus deploymentTaskType equipmentType displayEquipmentType starter loadApplication
  voltageTapLocation ctLocation nodeHardwareVersion viModuleHardwareVersion connectedStatus meteringStatus fieldConnectedStatus
  fieldMeteringStatus meterString fieldMeterString quantity resolution line lastScalarData phase unit timezone triggeredAt displayTimestamp errorLastDisplayTimestamp
  warningLastDisplayTimestamp debugLastDisplayTimestamp sentence gravity days fromDay toDay outcome billThruDate billToDate billThruReason billingStartDate billingEndDate paidThruDate
  paidThruReason deploymentDate month Motor eq_type eq_type_sub wc static_allowed alarmKind state hash keys startLocal pq_ch_active tr_ch_Active
  actions candidates notShown turn oldNodeStatus keptFlags field`.split(/\s+/),
);

/** Names of objects get another name, the same at every call, so that two of them stay apart. */
const kindsByField: Record<string, string> = {
  customerCode: "demo",
  code: "demo",
  customerName: "Customer",
  customer: "Customer",
  retiredCustomer: "Customer",
  unassignedCustomer: "Customer",
  facilityName: "Facility",
  facility: "Facility",
  retiredFacility: "Facility",
  unassignedFacility: "Facility",
  siteName: "Site",
  locationName: "Location",
  location: "Location",
  retiredLocation: "Location",
  unassignedLocation: "Location",
  username: "person",
  firstName: "Person",
  lastName: "Person",
  lastUpdatedUsername: "person",
  lastUpdatedFullname: "Person",
  actor: "person",
  owner: "person",
  acknowledgedBy: "person",
  author: "person",
  madeBy: "person",
  addedBy: "Person",
  askedBy: "person",
  voidedBy: "person",
};

/** What `name` names, by the list that the object is in, or by the last word of the endpoint's path. */
const kindsByOwner: Record<string, string> = {
  customers: "Customer",
  names: "Customer",
  organizations: "Customer",
  facilities: "Facility",
  subscribedFacilityList: "Facility",
  movetargets: "Facility",
  location: "Location",
  locations: "Location",
  billingLocationItems: "Location",
  metering: "Location",
};

/** Lists in the order of names, by the name of the list or by the last word of the endpoint's path, and what they are ordered by. */
const orderedBy: Record<string, readonly string[]> = {
  customers: ["name"],
  names: ["name", "code"],
  customerList: ["customerName"],
  facilities: ["name"],
  locations: ["customerName", "facilityName", "name", "locationName"],
  movetargets: ["customerName", "facilityName"],
  users: ["username"],
  people: ["actor", "username"],
  report: ["lastName", "firstName", "username"],
  subscribedFacilityList: ["name"],
  organizations: ["name"],
  billingFacilityItems: ["customerName", "facilityName"],
  billingLocationItems: ["locationName"],
  leftOut: ["customerName", "facilityName", "locationName"],
};

/** Instead of a message of which the inserted texts are not known. */
const plainMessages: Record<string, string> = {
  [errorCodes.invalid]: "The request is not valid",
  [errorCodes.unauthorized]: "Please sign in",
  [errorCodes.forbidden]: "You are not permitted to do this",
  [errorCodes.notFound]: "What was requested was not found",
  [errorCodes.conflict]: "This is not possible in the present state",
  [errorCodes.tooLarge]: "The request is too large",
  [errorCodes.tooManyRequests]: "Too many requests at the moment. Please try again",
  [errorCodes.unavailable]: "This cannot be answered at the moment. Please try again",
  [errorCodes.outOfSpace]: "The server has no room for this",
};
const plainMessage = (errorCode: string): string => plainMessages[errorCode] ?? "The request was refused";

/** Lists of the product's own texts: what to do at a task, what a setting means. */
const ownWords = new Set(["tasks", "subTasks", "externalLink", "config"]);
const ownFields = new Set(["name", "description", "heading", "items", "text", "url"]);

const isSerialNumber = (text: string): boolean => /^[1-9]\d{4}$/.test(text);
const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text);
const isProductText = (name: string, owner: string): boolean =>
  ownWords.has(owner) && (ownFields.has(name) || /^(common|deploymentTaskType)_/.test(name));

/** @param key makes the other names impossible to guess back */
export function createDemoRedaction(key: Uint8Array): DemoRedaction {
  const tags = createBoundedMap<string, string>(50_000);

  function tagOf(text: string): string {
    const known = tags.get(text);
    if (known !== undefined) return known;
    const bytes = createHmac("sha256", key).update(text).digest();
    const tag = Array.from(bytes.subarray(0, 6), (byte) => String.fromCharCode(97 + (byte % 26))).join("");
    tags.set(text, tag);
    return tag;
  }

  function redactText(text: string, name: string, owner: string): string {
    if (text === "" || plain.has(name) || isProductText(name, owner)) return text;
    // A node did it; a username begins with a letter.
    if (name === "actor" && isSerialNumber(text)) return text;
    const kind = name === "name" ? kindsByOwner[owner] : kindsByField[name];
    if (kind === undefined) return isNumber(text) ? text : hidden;
    return /^[A-Z]/.test(kind) ? `${kind} ${tagOf(text)}` : `${kind}${tagOf(text)}`;
  }

  /** @param owner name of the list or object that the value's own object is in */
  function redact(value: unknown, name: string, owner: string): unknown {
    if (typeof value === "string") return redactText(value, name, owner);
    if (Array.isArray(value))
      return inOrder(
        value.map((item) => redact(item, name, owner)),
        orderedBy[name],
      );
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]) => [field, redact(inner, field, ownWords.has(owner) ? owner : name)]),
    );
  }

  function showInserted(text: string, name: string): string {
    const shown = redactText(text, name, "");
    return shown === hidden ? "…" : shown;
  }

  return {
    answer(answer, path) {
      const lastWord = path.split("/").findLast((part) => part !== "" && !part.startsWith("{")) ?? "";
      return redact(answer, lastWord === "config" || lastWord in kindsByOwner || lastWord in orderedBy ? lastWord : "", "");
    },
    error(error) {
      if (error instanceof AppError) {
        const { status, errorCode, sentence, retryAfterSeconds, field } = error;
        const message = sentence?.toString(showInserted) ?? plainMessage(errorCode);
        return new AppError(status, errorCode, message, { retryAfterSeconds, field });
      }
      // Its sentence names what is in the way.
      return isRuleOfSchema(error) ? new AppError(409, errorCodes.conflict, plainMessage(errorCodes.conflict)) : error;
    },
  };
}

function inOrder(list: unknown[], fields: readonly string[] | undefined): unknown[] {
  if (!fields) return list;
  const keys = new Map(list.map((item) => [item, fields.map((field) => (item as Record<string, string | undefined>)[field] ?? "")]));
  return list.toSorted((a, b) => compareKeys(keys.get(a)!, keys.get(b)!));
}

function compareKeys(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((text, index) => text !== b[index]);
  return at === -1 ? 0 : a[at]! < b[at]! ? -1 : 1;
}
