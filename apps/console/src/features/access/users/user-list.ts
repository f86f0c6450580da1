import type { CustomerName } from "@busbar/contract/directory/customer-names.ts";
import type { User } from "@busbar/contract/access/users.ts";
import type { ColumnChoice } from "#ui/chosen-columns.ts";
import { byText, searchTextOf, sortKeysOf, sortRows } from "#ui/column.ts";
import { userColumns, type UserRecord } from "./user-columns.tsx";

export const sortKeys = sortKeysOf(userColumns);

/** What the list is asked to show; it is in the address. */
export interface UserCriteria {
  filterText: string;
  columns: ColumnChoice;
  sort: string;
  isDescending: boolean;
}

export type CustomerNames = ReadonlyMap<string, string>;

export const namesByCode = (names: readonly CustomerName[]): CustomerNames => new Map(names.map(({ code, name }) => [code, name]));

/** USR-02: derived from the code. Staff belong to no customer. */
export function customerNameOf(code: string, names: CustomerNames | undefined): string {
  if (code === "") return "";
  if (names === undefined) return "(Name not loaded)";
  return names.get(code) ?? `(${code}: No match)`;
}

export function recordsOf(users: readonly User[], names: CustomerNames | undefined): UserRecord[] {
  return users.map((user) => {
    const record = { user, customerName: customerNameOf(user.customerCode, names), searchText: "" };
    record.searchText = searchTextOf(userColumns, record);
    return record;
  });
}

/** USR-01; equal ones by username, which is no one else's. */
export function sortRecords(records: readonly UserRecord[], sort: string, isDescending: boolean): UserRecord[] {
  return sortRows(userColumns, records, { sort, isDescending }, byUsername);
}

/** USR-02: every word is in one of the searched fields. */
export function filterRecords(records: readonly UserRecord[], filterText: string): readonly UserRecord[] {
  const words = filterText.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? records : records.filter(({ searchText }) => words.every((word) => searchText.includes(word)));
}

const byUsername = byText<UserRecord>(({ user }) => user.username);

export function criteriaOf(search: Record<string, unknown>): UserCriteria {
  const sort = sortKeys.find((key) => key === search["sort"]) ?? "username";
  return {
    filterText: typeof search["filterText"] === "string" ? search["filterText"] : "",
    columns: typeof search["columns"] === "string" ? search["columns"] : "",
    sort,
    isDescending: search["order"] === "desc",
  };
}

export const searchOf = ({ filterText, columns, sort, isDescending }: UserCriteria) => ({
  filterText,
  columns,
  sort: sort === "username" ? "" : sort,
  order: isDescending ? "desc" : "",
});
