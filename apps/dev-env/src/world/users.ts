import type { UserFlag } from "@busbar/contract/access/users.ts";

export interface DemoUser {
  username: string;
  firstName: string;
  lastName: string;
  customerCode: string;
  /** Before the domain of the customer's e-mails; the username when absent. */
  mailbox?: string;
  isSuspended?: boolean;
  /** Flags that are on in addition to a new user's. */
  on?: readonly UserFlag[];
  /** Flags of a new user that are off. */
  off?: readonly UserFlag[];
  /** Days ago of sign-ins at the customers' own portal. */
  signInsDaysAgo?: readonly number[];
}

/** Invented people of the customers, with every kind that the list of users shows differently. */
export const demoUsers: readonly DemoUser[] = [
  {
    username: "a.thornbury",
    firstName: "Alys",
    lastName: "Thornbury",
    customerCode: "alderwyn",
    on: ["receiveDailyReport", "accessAnalytics"],
    signInsDaysAgo: [0, 1, 2, 5, 9],
  },
  { username: "mill.foreman", firstName: "Corin", lastName: "Ravensworth", customerCode: "alderwyn", on: ["autoSubscribeAllFacilities"] },
  {
    username: "b.ekundayo",
    firstName: "Bisi",
    lastName: "Ekundayo",
    customerCode: "brinemoor",
    on: ["accessAnalytics", "analyticsEarlyAccess"],
  },
  {
    username: "h.castellane",
    firstName: "Hugo",
    lastName: "Castellane",
    customerCode: "brinemoor",
    isSuspended: true,
    signInsDaysAgo: [212],
  },
  { username: "pit.control", firstName: "Wynn", lastName: "Marlowe", customerCode: "coppervane", on: ["receiveDailyReport"] },
  {
    username: "s.o_driscoll@coppervane",
    firstName: "Siobhan",
    lastName: "O'Driscoll",
    customerCode: "coppervane",
    mailbox: "siobhan.odriscoll.maintenance",
    off: ["receiveFaultLibraryNotifications"],
  },
  { username: "k.lindegaard", firstName: "Kaja", lastName: "Lindegaard", customerCode: "dunwickel", on: ["accessAnalytics"] },
  { username: "newcomer", firstName: "", lastName: "", customerCode: "dunwickel" },
  { username: "guided.tour", firstName: "Guided", lastName: "Tour", customerCode: "dunwickel", on: ["demoUser", "accessAnalytics"] },
  {
    username: "v.abernathy",
    firstName: "Verity",
    lastName: "Abernathy",
    customerCode: "threerivervalleyswaterauthority",
    on: ["receiveDailyReport"],
  },
  {
    username: "bench.watch",
    firstName: "Ines",
    lastName: "Okonjo",
    customerCode: "benches",
    on: ["internalUser", "autoSubscribeAllFacilities"],
  },
  {
    username: "field.service",
    firstName: "Jarek",
    lastName: "Holm",
    customerCode: "benches",
    mailbox: "field.service",
    isSuspended: true,
    on: ["internalUser"],
  },
];
