import type { User } from "@busbar/contract/access/users.ts";

/** A user of a customer, for tests. */
export function sampleUser(id: number, change: Partial<User> = {}): User {
  return {
    id,
    username: `user${id}`,
    firstName: "Rowan",
    lastName: "Ashdown",
    email: `user${id}@alder.example`,
    customerCode: "alder",
    receiveDailyReport: false,
    accessAnalytics: false,
    analyticsEarlyAccess: false,
    demoUser: false,
    internalUser: false,
    receiveConnectivityNotifications: true,
    receiveFaultLibraryNotifications: true,
    autoSubscribeAllFacilities: false,
    activeStatus: "ACTIVE",
    roles: [],
    administrator: false,
    twoFactorEnrolled: false,
    hasPassword: true,
    revision: 1,
    ...change,
  };
}
