import { csvText } from "@busbar/contract/values/csv.ts";
import type { ReportedUser } from "./user-report.read-model.ts";

const columns: readonly { header: string; value: (user: ReportedUser) => string }[] = [
  { header: "Username", value: ({ username }) => username },
  { header: "First Name", value: ({ firstName }) => firstName },
  { header: "Last Name", value: ({ lastName }) => lastName },
  { header: "Email", value: ({ email }) => email },
  { header: "Customer Code", value: ({ customerCode }) => customerCode },
  { header: "Customer Name", value: ({ customerName }) => customerName },
  { header: "Status", value: ({ activeStatus }) => activeStatus },
  { header: "Internal", value: ({ isInternal }) => yesNo(isInternal) },
  { header: "Daily Report", value: ({ receiveDailyReport }) => yesNo(receiveDailyReport) },
  { header: "Connectivity Notifications", value: ({ receiveConnectivityNotifications }) => yesNo(receiveConnectivityNotifications) },
  { header: "Fault Library Notifications", value: ({ receiveFaultLibraryNotifications }) => yesNo(receiveFaultLibraryNotifications) },
  { header: "All Facilities", value: ({ autoSubscribeAllFacilities }) => yesNo(autoSubscribeAllFacilities) },
];

const yesNo = (flag: boolean): string => (flag ? "yes" : "no");

export const userReportHeader = (): string => csvText([columns.map(({ header }) => header)]);
export const presentUsers = (users: readonly ReportedUser[]): string =>
  csvText(users.map((user) => columns.map(({ value }) => value(user))));
