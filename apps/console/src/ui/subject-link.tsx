import type { MessageSubject, SystemMessage } from "@busbar/contract/system/system-messages.ts";
import { nodePageOf } from "./node-link.tsx";

export type Subject = NonNullable<SystemMessage["subject"]>;

/** A file is known by its name and by which bytes it has: the name is what one reads. */
const nameOf = ({ kind, id }: Subject): string => (kind === "file" ? (id.split(" ")[0] ?? id) : id);

const words: Record<MessageSubject, string> = {
  node: "Node",
  file: "File",
  content: "Content",
  recipient: "Recipient",
  notification: "Notification",
  download: "Download",
  customer: "Customer",
  facility: "Facility",
  location: "Location",
  organization: "Billing organization",
  user: "User",
  service: "Service",
  setting: "Setting",
  incident: "Incident",
  batch: "Batch",
  bulk: "Bulk change",
};

/** Where the console shows it; undefined where it has no screen of its own. */
export function screenOf(subject: Subject): string | undefined {
  const { kind, id } = subject;
  const screens: Record<MessageSubject, string | undefined> = {
    node: nodePageOf(id),
    file: `#/node-dashboard/files/${encodeURIComponent(nameOf(subject))}`,
    // Bytes without a file: no page shows them.
    content: undefined,
    recipient: "#/notifications",
    notification: "#/notifications",
    download: "#/downloads",
    customer: "#/customers",
    facility: `#/facilities/${id}`,
    location: `#/customers?location=${id}`,
    organization: "#/accounts/billing",
    user: `#/users/${id}`,
    service: "#/system/services",
    setting: "#/system/config",
    incident: `#/incidents/${id}`,
    batch: `#/batches/${id}`,
    bulk: `#/bulk/${id}`,
  };
  return screens[kind];
}

/** Whether a kind of item is one that has a name here. */
export const isMessageSubject = (kind: string): kind is MessageSubject => kind in words;

/** What a message or a waiting item is about, as a link to it. */
export function SubjectLink({ subject }: { subject: Subject }) {
  const name = `${words[subject.kind]} ${nameOf(subject)}`;
  const screen = screenOf(subject);
  return screen === undefined ? <b>{name}</b> : <a href={screen}>{name}</a>;
}
