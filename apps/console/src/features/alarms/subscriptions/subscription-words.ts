import { subscriptionFrequencies, type SubscriptionFrequency } from "@busbar/contract/values/option-lists.ts";

/** What a user is sent of the facilities that they subscribe to. */
export interface Wanted {
  activeStatus: string;
  receiveDailyReport: boolean;
  receiveConnectivityNotifications: boolean;
  receiveFaultLibraryNotifications: boolean;
}

export function wantedWords({ activeStatus, ...wants }: Wanted): string {
  if (activeStatus !== "ACTIVE") return "nothing, as the user is suspended";
  const kinds = [
    ...(wants.receiveConnectivityNotifications ? ["connectivity"] : []),
    ...(wants.receiveFaultLibraryNotifications ? ["fault library"] : []),
    ...(wants.receiveDailyReport ? ["daily report"] : []),
  ];
  return kinds.length === 0 ? "nothing, as no kind of message is ticked" : kinds.join(", ");
}

/** In the address of nothing: `none` stands for no frequency of one's own. */
export type Choice = SubscriptionFrequency | "none";
export const choiceOf = (frequency: SubscriptionFrequency | null): Choice => frequency ?? "none";
export const frequencyOf = (choice: Choice): SubscriptionFrequency | null => (choice === "none" ? null : choice);

/** Who subscribes to all facilities gets this one at once without a choice. */
export const choicesOf = (isAutomatic: boolean): { value: Choice; label: string }[] => [
  { value: "none", label: isAutomatic ? "As all: Immediate" : "Never" },
  ...subscriptionFrequencies.map((frequency) => ({ value: frequency, label: frequency })),
];
