import type { Pool, PoolClient } from "pg";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { createServicesContext } from "./services-context.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import type { SystemConfig } from "#features/system/system-config/system-config.service.ts";
import type { FleetCache } from "#features/telemetry/node-dashboard/fleet-cache.ts";
import { silentLog as log } from "#lib/log.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createPlatformMail } from "./context/alarms.ts";
import { createSystem } from "./context/system.ts";

const clock = createManualClock();
const pool = {} as Pool;
/** Every setting has its own name as its value. */
const systemConfig = { get: (name: string) => Promise.resolve(name) } as unknown as SystemConfig;
const contextOf = (env: Record<string, string> = {}, settings = systemConfig) =>
  createServicesContext({ pool, config: readConfig(env), log, clock, systemConfig: settings, consoleUrl: () => "" });

test("A-63 what the services go by is the setting of its name", async () => {
  const context = contextOf();
  expect(await context.alarmLimits()).toEqual({
    underloadPercent: "underloadPercent",
    startsPerHour: "frequentStartsPerHour",
    signaturePercent: "harmonicSignaturePercent",
  });
  expect(await context.fleetNotices.internalRecipients()).toBe("Notices_internalRecipients");
  expect(await context.billingNotices.settings()).toEqual({
    vendor: {
      name: "Billing_vendorName",
      addressLine1: "Billing_vendorAddressLine1",
      city: "Billing_vendorCity",
      state: "Billing_vendorState",
      zipCode: "Billing_vendorZipCode",
    },
    rates: {
      deployed: "Billing_deployedCentsPerYear",
      preDeployment: "Billing_preDeploymentCentsPerYear",
      energy: "Billing_energyCentsPerYear",
    },
    defaultOrganization: "Billing_defaultOrganization",
  });
  expect(await context.billingNotices.notices()).toEqual({ recipients: "Billing_noticeRecipients", days: "Billing_noticeDays" });
  const ofNoOne = { get: (name: string) => Promise.resolve(name === "Billing_noticeRecipients" ? [] : name) } as unknown as SystemConfig;
  expect(await contextOf({}, ofNoOne).billingNotices.notices()).toMatchObject({ recipients: "Notices_internalRecipients" });
});

test("A-63 each kind of data is kept for the days of its setting, scalars for those of the environment where it says so", async () => {
  const days = {
    scalars: "Retention_scalarDays",
    files: "Retention_fileDays",
    sensorData: "Retention_sensorDataDays",
    events: "Retention_eventDays",
    notifications: "Retention_notificationDays",
    activities: "Retention_activityDays",
  };
  expect(await contextOf().retentionDays()).toEqual(days);
  expect(await contextOf({ SCALAR_RETENTION_DAYS: "8" }).retentionDays()).toEqual({ ...days, scalars: 8 });
});

test("A-63 notices say whether they are of a production server", () => {
  const [other, production] = [contextOf(), contextOf({ PRODUCTION_HOSTS: "busbar.example" })];
  expect([other.fleetNotices.environment, production.fleetNotices.environment]).toEqual(["Development", "Production"]);
});

test.each([
  [{}, "busbar.example"],
  [{ MAIL_FROM: "plant@mail.example" }, "mail.example"],
  [{ MAIL_FROM: "Plant 7 <plant@mail.example>" }, "mail.example"],
])("A-63 mail under %j has its numbers from its sender's domain, and links to the console as people reach it", async (env, domain) => {
  const mail = createPlatformMail({ pool, config: readConfig(env), log, clock, consoleUrl: () => "https://people.example" });
  const written: unknown[] = [];
  const client = { query: (_text: string, values: unknown[]) => (written.push(...values), Promise.resolve({ rows: [{ id: 1 }] })) };
  const body = (link: string) => `Here: ${link}`;
  await mail.enqueue(client as unknown as PoolClient, {
    kind: "TEST",
    to: ["one@x.example"],
    subject: "A subject",
    screen: "billing",
    body,
  });
  expect(written).toContain("Here: https://people.example/admin/#/accounts/billing");
  expect(written).toContainEqual(expect.stringMatching(new RegExp(`^<[0-9a-f-]{36}@${domain}>$`)));
});

test("A-63 the console reads what the environment says of it", () => {
  const config = readConfig({
    PRODUCTION_HOSTS: "busbar.example",
    LOGIN_SERVERS: "East=https://east.example",
    SHOW_SERVER_FLAGS: "true",
    INITIAL_CREDENTIAL: "first",
    DATA_DIR: "/srv/busbar",
  });
  const { consoleFiles } = createSystem({
    pool,
    config,
    log,
    clock,
    registry: new Registry(),
    consoleDir: "/srv/console",
    ports: () => ({ v1: 81, v2: 82 }),
    fleet: {} as FleetCache,
    mail: {} as Mail,
    systemConfig,
  });
  expect([consoleFiles.consoleDir, consoleFiles.updatesFile]).toEqual(["/srv/console", "/srv/busbar/updates.json"]);
  expect(consoleFiles.settings()).toEqual({
    v1Port: 81,
    v2Port: 82,
    productionHosts: ["busbar.example"],
    loginServers: [{ name: "East", origin: "https://east.example" }],
    showServerFlags: true,
    initialCredential: "first",
  });
});
