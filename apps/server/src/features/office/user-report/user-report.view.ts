import { stringify } from "csv-stringify/sync";
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

/** A spreadsheet runs a cell that begins like a formula; after an apostrophe it is a text (ASVS 1.2.10). */
export function harmlessCell(text: string): string {
  return /^[=+\-@\t\r\n|%]/.test(text) ? `'${text}` : text;
}

export const userReportHeader = (): string => csv([columns.map(({ header }) => header)]);
export const presentUsers = (users: readonly ReportedUser[]): string =>
  csv(users.map((user) => columns.map(({ value }) => harmlessCell(value(user)))));

// A lone CR or LF ends a line for other readers too.
const csv = (rows: string[][]): string => stringify(rows, { record_delimiter: "\r\n", quoted_match: /[\r\n]/ });
