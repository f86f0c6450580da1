import { expect, test } from "vitest";
import type * as z from "zod/v4/core";
import { systemConfigEntries } from "./system-config.ts";

interface Definition {
  checks?: { _zod: { def: { check: string; minimum?: number; maximum?: number; value?: number; error?: (issue: object) => string } } }[];
  element?: z.$ZodType;
}

/** What is said beyond each limit of a value and of what is in it, and what the limit is. */
function limitsOf(schema: z.$ZodType): string[] {
  const { checks = [], element } = schema._zod.def as unknown as Definition;
  const own = checks.flatMap(({ _zod: { def } }) => {
    const limit = def.minimum ?? def.maximum ?? def.value;
    return limit === undefined ? [] : [`${limit}: ${def.error?.({ code: "too_big", input: 1 }) ?? ""}`];
  });
  return [...own, ...(element ? limitsOf(element) : [])];
}

test("A-63 each setting has its kind, its default and its limits", () => {
  const found = Object.fromEntries(
    Object.entries(systemConfigEntries).map(([name, { type, unit = "", isSecret, schema, default: usual }]) => [
      name,
      [`${type} ${unit}${isSecret ? " secret" : ""}`.trim(), name.endsWith("AlertDefault") ? "" : usual, ...limitsOf(schema)],
    ]),
  );
  expect(found).toEqual(kept);
});

const kept: Record<string, unknown[]> = {
  Location_faultLibraryAlertDefault: ["list alerts", "", "100: There are at most 100 flags"],
  Notices_internalRecipients: [
    "list addresses",
    [],
    "20: There are at most 20 recipients",
    "254: An e-mail address has at most 254 characters",
  ],
  Billing_defaultOrganization: ["text", "none", "120: has at most 120 characters"],
  Billing_deployedCentsPerYear: ["number cents", 180000, "0: is at least 0", "100000000: is at most 100000000"],
  Billing_preDeploymentCentsPerYear: ["number cents", 60000, "0: is at least 0", "100000000: is at most 100000000"],
  Billing_energyCentsPerYear: ["number cents", 24000, "0: is at least 0", "100000000: is at most 100000000"],
  Trends_dollarsPerKilowattHour: ["number", 0, "0: is 0 or more", "10: is at most 10"],
  Billing_noticeRecipients: [
    "list addresses",
    [],
    "20: There are at most 20 recipients",
    "254: An e-mail address has at most 254 characters",
  ],
  Billing_noticeDays: ["number days", 30, "0: is at least 0", "365: is at most 365"],
  underloadPercent: ["number percent", 40, "1: is at least 1", "95: is at most 95"],
  frequentStartsPerHour: ["number per hour", 6, "1: is at least 1", "120: is at most 120"],
  harmonicSignaturePercent: ["number percent", 3, "0.1: is at least 0.1", "100: is at most 100"],
  System_debugRecipients: ["text", "caller", "1000: has at most 1000 characters"],
  Billing_vendorName: ["text", "Busbar", "80: has at most 80 characters"],
  Billing_vendorAddressLine1: ["text", "1 Example Street", "80: has at most 80 characters"],
  Billing_vendorCity: ["text", "Anytown", "60: has at most 60 characters"],
  Billing_vendorState: ["text", "ZZ", "30: has at most 30 characters"],
  Billing_vendorZipCode: ["text", "00000", "12: has at most 12 characters"],
  Retention_scalarDays: ["number days", 3, "1: is at least 1 days", "400: is at most 400 days"],
  Retention_fileDays: ["number days", 90, "7: is at least 7 days", "3650: is at most 3650 days"],
  Retention_sensorDataDays: ["number days", 3650, "90: is at least 90 days", "36500: is at most 36500 days"],
  Retention_eventDays: ["number days", 1825, "30: is at least 30 days", "36500: is at most 36500 days"],
  Retention_notificationDays: ["number days", 730, "90: is at least 90 days", "36500: is at most 36500 days"],
  Retention_activityDays: ["number days", 730, "90: is at least 90 days", "36500: is at most 36500 days"],
  motorEfficiency: ["number share", 0.93, "0.5: An efficiency is from 0.5 to 1", "1: An efficiency is from 0.5 to 1"],
};
