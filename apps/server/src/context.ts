import { join } from "node:path";
import type { Pool, PoolClient } from "pg";
import { collectDefaultMetrics } from "prom-client";
import type { Registry } from "prom-client";
import type { Config } from "./config.ts";
import { inTransaction } from "#db/transaction.ts";
import { systemSecret } from "#db/system-secret.store.ts";
import { readTotpKey } from "#db/totp-secret.store.ts";
import { accountHandlers } from "#features/account/account.handlers.ts";
import { createAccount } from "#features/account/account.service.ts";
import { createAccountStore } from "#features/account/account.store.ts";
import { recordActivity } from "#features/activities/activities.store.ts";
import { createBillPdfMaker } from "#features/billing/bill-pdf-maker.ts";
import { readBillingSettings } from "#features/billing/billing-settings.ts";
import { billingHandlers } from "#features/billing/billing.handlers.ts";
import { createBillingReadModel } from "#features/billing/billing.read-model.ts";
import { createBillingService } from "#features/billing/billing.service.ts";
import { createBillKeeper } from "#features/billing/billing.store.ts";
import type { ConsoleFilesDependencies } from "#features/console-files/console-files.routes.ts";
import { customerSummaryHandlers } from "#features/customer-summary/customer-summary.handlers.ts";
import { createCustomerSummaryReadModel } from "#features/customer-summary/customer-summary.read-model.ts";
import { readChangesSince } from "#features/activities/recorded-changes.store.ts";
import { customerTreeHandlers } from "#features/customer-tree/customer-tree.handlers.ts";
import { createCustomerTreeReadModel } from "#features/customer-tree/customer-tree.read-model.ts";
import { createCustomerTree } from "#features/customer-tree/customer-tree.ts";
import { customersHandlers } from "#features/customers/customers.handlers.ts";
import { createCustomersService } from "#features/customers/customers.service.ts";
import { createDecommissionedNodesService } from "#features/customers/decommissioned-nodes.service.ts";
import { createFacilitiesService } from "#features/customers/facilities.service.ts";
import { downloadAdminHandlers } from "#features/download-admin/download-admin.handlers.ts";
import { createDownloadService } from "#features/download-admin/download-admin.service.ts";
import { createDownloadStore } from "#features/download-admin/download-admin.store.ts";
import { createActivityFeed } from "#features/feeds/activity-feed.read-model.ts";
import { feedsHandlers } from "#features/feeds/feeds.handlers.ts";
import { createLoginFeed } from "#features/feeds/login-feed.read-model.ts";
import { createNotificationFeed } from "#features/feeds/notification-feed.read-model.ts";
import type { HealthDependencies, ReadinessCheck } from "#features/health/health.routes.ts";
import { locationNotesHandlers } from "#features/location-notes/location-notes.handlers.ts";
import { createLocationNotes } from "#features/location-notes/location-notes.service.ts";
import { createPlotNotesReadModel } from "#features/location-notes/plot-notes.read-model.ts";
import { locationsHandlers } from "#features/locations/locations.handlers.ts";
import { createLocationsReadModel } from "#features/locations/locations.read-model.ts";
import { createLocations } from "#features/locations/locations.service.ts";
import { customerDataHandlers } from "#features/customer-data/customer-data.handlers.ts";
import { createCustomerDataReadModel } from "#features/customer-data/customer-data.read-model.ts";
import { customerNamesHandlers } from "#features/customer-names/customer-names.handlers.ts";
import { createCustomerNamesReadModel } from "#features/customer-names/customer-names.read-model.ts";
import { createMailTransport } from "#features/mail/mail-transport.ts";
import { createMail } from "#features/mail/mail.service.ts";
import type { Mail } from "#features/mail/mail.service.ts";
import { createMailStore } from "#features/mail/mail.store.ts";
import { createDashboardAnswers } from "#features/node-dashboard/dashboard-answers.ts";
import { createFleetCache } from "#features/node-dashboard/fleet-cache.ts";
import type { FleetCache } from "#features/node-dashboard/fleet-cache.ts";
import { createFleetReadModel } from "#features/node-dashboard/fleet.read-model.ts";
import { nodeDashboardHandlers } from "#features/node-dashboard/node-dashboard.handlers.ts";
import { nodeTasksHandlers } from "#features/node-tasks/node-tasks.handlers.ts";
import { createNodeTasks } from "#features/node-tasks/node-tasks.service.ts";
import { scalarHistoryHandlers } from "#features/scalar-history/scalar-history.handlers.ts";
import { createScalarHistoryReadModel } from "#features/scalar-history/scalar-history.read-model.ts";
import { createLoginAttemptStore } from "#features/session/login-attempt.store.ts";
import { sessionHandlers } from "#features/session/session.handlers.ts";
import { createSessionService } from "#features/session/session.service.ts";
import type { SessionService } from "#features/session/session.service.ts";
import { createTokenSigner } from "#features/session/session-token.ts";
import { createSessionStore } from "#features/session/session.store.ts";
import { subscriptionReportHandlers } from "#features/subscription-report/subscription-report.handlers.ts";
import { createSubscriptionReportReadModel } from "#features/subscription-report/subscription-report.read-model.ts";
import { systemConfigHandlers } from "#features/system-config/system-config.handlers.ts";
import { createSystemConfig } from "#features/system-config/system-config.service.ts";
import { createSystemConfigStore } from "#features/system-config/system-config.store.ts";
import { createLogCollector } from "#features/system-messages/log-collector.ts";
import { createSystemFigures } from "#features/system-messages/system-figures.ts";
import { systemMessagesHandlers } from "#features/system-messages/system-messages.handlers.ts";
import { createSystemMessages } from "#features/system-messages/system-messages.service.ts";
import { createSystemMessagesStore } from "#features/system-messages/system-messages.store.ts";
import { systemServicesHandlers } from "#features/system-services/system-services.handlers.ts";
import { createSystemServices } from "#features/system-services/system-services.service.ts";
import { createTwoFactor } from "#features/two-factor/two-factor.service.ts";
import type { TwoFactor } from "#features/two-factor/two-factor.service.ts";
import { createTwoFactorStore } from "#features/two-factor/two-factor.store.ts";
import { userReportHandlers } from "#features/user-report/user-report.handlers.ts";
import { createUserReportReadModel } from "#features/user-report/user-report.read-model.ts";
import { createEnrolment } from "#features/two-factor/enrolment.service.ts";
import { twoFactorHandlers } from "#features/two-factor/two-factor.handlers.ts";
import { createApiClients } from "#features/user-keys/api-client.service.ts";
import { userKeysHandlers } from "#features/user-keys/user-keys.handlers.ts";
import { createUserKeys } from "#features/user-keys/user-keys.service.ts";
import { createUserKeysStore } from "#features/user-keys/user-keys.store.ts";
import { createUserGuard } from "#features/users/user-guard.ts";
import { createUserNotices } from "#features/users/user-notices.ts";
import { usersHandlers } from "#features/users/users.handlers.ts";
import { createUsers } from "#features/users/users.service.ts";
import { createUsersStore } from "#features/users/users.store.ts";
import { createWelcome } from "#features/users/welcome.service.ts";
import type { Authenticators, Handlers } from "#http/endpoints.ts";
import { createRequestCounter } from "#http/request-counter.ts";
import type { RequestCounter } from "#http/request-counter.ts";
import { feedOf } from "#lib/log-feed.ts";
import { createServiceStore } from "#services/service.store.ts";
import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";

export interface ContextOptions {
  pool: Pool;
  config: Config;
  log: Log;
  clock: Clock;
  /** Metrics of the whole process. */
  registry: Registry;
  consoleDir: string;
  /** Ports that really answer, known once they listen. */
  ports: () => { v1: number; v2: number | undefined };
  /** What else must be ready, such as ingest. */
  checks?: ReadinessCheck[];
}

/** Everything that an API process is made of, put together in one visible place. */
export interface Context {
  log: Log;
  handlers: Handlers;
  sessions: SessionService;
  authenticators: Authenticators;
  twoFactor: TwoFactor;
  mail: Mail;
  fleet: FleetCache;
  health: HealthDependencies;
  consoleFiles: ConsoleFilesDependencies;
  requests: RequestCounter;
  /** The port whose pages may call the other one. */
  consolePort(): number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function createContext(options: ContextOptions): Promise<Context> {
  const { pool, config, log, clock, registry, consoleDir, ports, checks = [] } = options;
  collectDefaultMetrics({ register: registry });
  const requests = createRequestCounter(registry);

  const fleet = createFleetCache({ readModel: createFleetReadModel(pool), log });
  const answers = createDashboardAnswers(fleet, { serverStartUpTime: Math.floor(clock.now() / 1000), requestsServed: requests.served });
  const mail = createMail({
    store: createMailStore(pool),
    transport: createMailTransport(config.smtpUrl, config.mailFrom),
    clock,
    log,
    domain: /@([^\s>]+)/.exec(config.mailFrom)?.[1] ?? "localhost",
  });
  const twoFactorStore = createTwoFactorStore(pool, await readTotpKey(pool));
  const twoFactor = createTwoFactor({
    store: twoFactorStore,
    clock,
    recordActivity: (activity) => recordActivity(pool, activity),
  });
  const sessions = createSessionService({
    store: createSessionStore(pool),
    loginAttempts: createLoginAttemptStore(pool),
    signer: createTokenSigner(await systemSecret(pool, "session-key")),
    clock,
    log,
    isDatabaseAway: () => fleet.isLoaded() && fleet.snapshot.isStale,
    recordActivity: (activity) => recordActivity(pool, activity),
    twoFactor,
    loginTwoFactor: config.loginTwoFactor,
  });
  const usersStore = createUsersStore(pool);
  const guard = createUserGuard(usersStore);
  const notices = createUserNotices(mail);
  const users = createUsers({ pool, store: usersStore, guard, sessions, twoFactor, notices, recordActivity });
  const welcome = createWelcome({ pool, guard, mail, notices, recordActivity });
  const keysStore = createUserKeysStore(pool);
  const account = createAccount({
    pool,
    store: createAccountStore(pool),
    users: usersStore,
    guard,
    twoFactor: twoFactorStore,
    sessions,
    notices,
    clock,
    recordActivity,
  });
  const inOneTransaction = <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => inTransaction(pool, work);
  const systemConfig = createSystemConfig({ store: createSystemConfigStore(pool), log, inTransaction: inOneTransaction, recordActivity });
  const figures = createSystemFigures(config.dataDir);
  const messagesStore = createSystemMessagesStore(pool);
  const feed = feedOf(log);
  const logCollector = feed && createLogCollector(feed, messagesStore);
  const systemMessages = createSystemMessages({
    store: messagesStore,
    figures,
    mail,
    recipients: () => systemConfig.get("System_debugRecipients"),
    inTransaction: inOneTransaction,
    recordActivity,
    clock,
  });
  const downloads = createDownloadService(createDownloadStore(pool), clock);
  const billing = createBillingService({
    readModel: createBillingReadModel(pool),
    settings: () => readBillingSettings(systemConfig),
    makePdf: createBillPdfMaker(),
    keepPdf: createBillKeeper({ pool, keepDownload: (client, download) => downloads.keep(client, download), recordActivity }),
  });
  const locations = createLocations({ pool, clock, twoFactor, systemConfig, recordActivity, readChangesSince });
  const locationNotes = createLocationNotes({ pool, recordActivity, readChangesSince });
  const directory = { pool, twoFactor, recordActivity };
  const enrolment = createEnrolment({ pool, store: twoFactorStore, twoFactor, sessions, guard, mail, clock, recordActivity });

  return {
    log,
    sessions,
    authenticators: { authenticate: sessions.authenticate, ...createApiClients({ store: keysStore, clock, log }) },
    twoFactor,
    mail,
    fleet,
    requests,
    handlers: {
      ...sessionHandlers(sessions, { initialCredential: config.initialCredential, log }),
      ...nodeDashboardHandlers(fleet, answers),
      ...scalarHistoryHandlers(createScalarHistoryReadModel(pool)),
      ...locationsHandlers(locations, createLocationsReadModel(pool)),
      ...locationNotesHandlers(locationNotes, createPlotNotesReadModel(pool)),
      ...systemConfigHandlers(systemConfig),
      ...nodeTasksHandlers(createNodeTasks({ pool, recordActivity })),
      ...customerTreeHandlers(createCustomerTree(createCustomerTreeReadModel(pool))),
      ...customersHandlers({
        customers: createCustomersService(directory),
        facilities: createFacilitiesService(directory),
        decommissionedNodes: createDecommissionedNodesService(directory),
      }),
      ...systemServicesHandlers(createSystemServices({ store: createServiceStore(pool), inTransaction: inOneTransaction, recordActivity })),
      ...systemMessagesHandlers(systemMessages),
      ...feedsHandlers({
        activities: createActivityFeed(pool),
        notifications: createNotificationFeed(pool),
        logins: createLoginFeed(pool),
        countNodes: () => countNodes(fleet),
        clock,
      }),
      ...billingHandlers(billing),
      ...downloadAdminHandlers(downloads, sessions.authenticate),
      ...customerSummaryHandlers(createCustomerSummaryReadModel(pool)),
      ...subscriptionReportHandlers(createSubscriptionReportReadModel(pool)),
      ...userReportHandlers(createUserReportReadModel(pool)),
      ...usersHandlers({ users, welcome, guard, analyticsBase: config.analyticsUrl }),
      ...userKeysHandlers(createUserKeys({ pool, store: keysStore, guard, clock, recordActivity })),
      ...customerNamesHandlers(createCustomerNamesReadModel(pool)),
      ...customerDataHandlers(createCustomerDataReadModel(pool)),
      ...accountHandlers(account),
      ...twoFactorHandlers(enrolment),
    },
    health: {
      registry,
      metricsToken: config.metricsToken,
      checks: [{ name: "fleet", problem: fleet.problem }, ...checks],
    },
    consoleFiles: {
      consoleDir,
      updatesFile: join(config.dataDir, "updates.json"),
      log,
      settings: () => ({
        v1Port: ports().v1,
        v2Port: ports().v2,
        productionHosts: config.productionHosts,
        loginServers: config.loginServers,
        showServerFlags: config.showServerFlags,
        initialCredential: config.initialCredential,
      }),
    },
    consolePort: () => ports().v1,
    async start() {
      figures.start();
      logCollector?.start();
      await fleet.start();
    },
    async stop() {
      figures.stop();
      await fleet.stop();
      await logCollector?.stop();
    },
  };
}

function countNodes(fleet: FleetCache): { connected: number; all: number } {
  let connected = 0;
  for (const { live } of fleet.snapshot.entries.values()) if (live.isConnected) connected++;
  return { connected, all: fleet.snapshot.entries.size };
}
