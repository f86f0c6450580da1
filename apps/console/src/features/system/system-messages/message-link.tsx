import type { MessageSubject, SystemMessage } from "@busbar/contract/system/system-messages.ts";

type Subject = NonNullable<SystemMessage["subject"]>;

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
};

/** Where the console shows it; undefined where it has no screen of its own. */
export function screenOf({ kind, id }: Subject): string | undefined {
  const [serial = ""] = /^\d{5}/.exec(id) ?? [];
  const screens: Partial<Record<MessageSubject, string | undefined>> = {
    node: `#/nodes?filterText=${encodeURIComponent(id)}`,
    file: serial && `#/node-dashboard/${serial}/files`,
    recipient: "#/notifications",
    notification: "#/notifications",
    download: "#/downloads",
    customer: "#/customers",
    facility: "#/customers",
    location: "#/customers",
    organization: "#/accounts/billing",
    user: "#/users",
    service: "#/system/services",
    setting: "#/system/config",
  };
  return screens[kind] || undefined;
}

/** What a message is about, as a link to it. */
export function MessageLink({ subject }: { subject: Subject }) {
  const name = `${words[subject.kind]} ${subject.id}`;
  const screen = screenOf(subject);
  return screen === undefined ? <b>{name}</b> : <a href={screen}>{name}</a>;
}
