import { getUsers, type User } from "@busbar/contract/access/users.ts";
import { getCustomers, type Customer } from "@busbar/contract/directory/customer-tree.ts";
import type { ReactNode } from "react";
import { SecurityDialog } from "#features/access/account/security-dialog.tsx";
import { UserDialogs, type OpenUserDialog } from "#features/access/users/user-dialogs.tsx";
import { FacilitySubscriptionsDialog } from "#features/alarms/subscriptions/facility-subscriptions-dialog.tsx";
import { UserSubscriptionList } from "#features/alarms/subscriptions/user-subscriptions.tsx";
import { CustomerDialog } from "#features/directory/customers/customer-dialog.tsx";
import { DecommissionDialog } from "#features/directory/customers/decommission-dialog.tsx";
import { DeleteCustomerDialog } from "#features/directory/customers/delete-customer-dialog.tsx";
import { DeleteFacilityDialog } from "#features/directory/customers/delete-facility-dialog.tsx";
import { FacilityDialog } from "#features/directory/customers/facility-dialog.tsx";
import { ManagersDialog } from "#features/directory/customers/managers-dialog.tsx";
import { MoveFacilityDialog } from "#features/directory/customers/move-facility-dialog.tsx";
import { TakeBackDialog } from "#features/directory/customers/take-back-dialog.tsx";
import { LinkedDialogFor } from "./pages/linked-dialogs.tsx";
import type { LinkedDialog } from "./pages/linked-dialog.ts";
import { inventAnswer } from "./testing/invented-answer.ts";
import { pressFirst, type ToPage } from "./testing/walk-presses.tsx";

// As the server of the walk answers them.
const invention = { first: 0, rows: 4 };
const [user] = inventAnswer(getUsers, invention) as [User];
const [customer] = inventAnswer(getCustomers, invention) as [Customer];
const facility = customer.facilities[0]!;
const node = customer.decommissionedNodes[0]!;

const serial = "10001";
const linked: readonly LinkedDialog[] = [
  { kind: "add-node" },
  { kind: "node", serial },
  { kind: "location", locationId: 301 },
  { kind: "add-location", customerId: customer.id, facilityId: facility.id, facilityName: facility.name },
];

const ofUsers: readonly OpenUserDialog[] = [
  { kind: "add" },
  ...(["edit", "history", "welcome", "password", "keys", "reset-two-factor", "delete"] as const).map((kind) => ({ kind, user })),
  { kind: "analytics-failure", user, message: "The server is away" },
];

const ofCustomers: Record<string, (onClose: () => void) => ReactNode> = {
  "a new customer": (onClose) => <CustomerDialog onClose={onClose} />,
  "a customer": (onClose) => <CustomerDialog customer={customer} onClose={onClose} />,
  "a customer to be deleted": (onClose) => <DeleteCustomerDialog customer={customer} onClose={onClose} />,
  "a new facility": (onClose) => <FacilityDialog customer={customer} onClose={onClose} />,
  "a facility": (onClose) => <FacilityDialog customer={customer} facility={facility} onClose={onClose} />,
  "a facility to be deleted": (onClose) => <DeleteFacilityDialog customer={customer} facility={facility} onClose={onClose} />,
  "a facility's managers": (onClose) => <ManagersDialog customer={customer} facility={facility} onClose={onClose} />,
  "a facility to be moved": (onClose) => <MoveFacilityDialog customer={customer} facility={facility} onClose={onClose} />,
  "a decommissioned node": (onClose) => <DecommissionDialog customer={customer} onClose={onClose} />,
  "a decommissioned node to be taken back": (onClose) => <TakeBackDialog customer={customer} node={node} onClose={onClose} />,
};

const others: Record<string, (onClose: () => void) => ReactNode> = {
  security: (onClose) => <SecurityDialog onClose={onClose} />,
  "a facility's subscriptions": (onClose) => (
    <FacilitySubscriptionsDialog facilityId={facility.id} name={facility.name} onClose={onClose} />
  ),
};

const walks: [name: string, make: (toPage: ToPage) => ReactNode][] = [
  ...linked.map((dialog): (typeof walks)[number] => [
    dialog.kind,
    (toPage) => <LinkedDialogFor dialog={dialog} onClose={() => toPage("closed")} onOpen={(next) => toPage(JSON.stringify(next))} />,
  ]),
  ...ofUsers.map((dialog): (typeof walks)[number] => [
    `a user: ${dialog.kind}`,
    (toPage) => (
      <UserDialogs dialog={dialog} renderMore={({ id }) => <UserSubscriptionList userId={id} />} onClose={() => toPage("closed")} />
    ),
  ]),
  ...Object.entries({ ...ofCustomers, ...others }).map(([name, make]): (typeof walks)[number] => [
    name,
    (toPage) => make(() => toPage("closed")),
  ]),
];

pressFirst([], Object.fromEntries(walks));
