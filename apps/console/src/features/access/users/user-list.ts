import type { CustomerName } from "@busbar/contract/directory/customer-names.ts";
import type { User } from "@busbar/contract/access/users.ts";

export const sortKeys = ["username", "email", "customer"] as const;
export type UserSortKey = (typeof sortKeys)[number];

/** What the list is asked to show; it stands in the address. */
export interface UserCriteria {
  filterText: string;
  sort: UserSortKey;
  isDescending: boolean;
}

/** A user as the list shows one. */
export interface UserRecord {
  user: User;
  customerName: string;
  /** Everything that is searched, in small letters. */
  searchText: string;
  sortTexts: Record<UserSortKey, string>;
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
    const { username, firstName, lastName, email, customerCode } = user;
    const customerName = customerNameOf(customerCode, names);
    return {
      user,
      customerName,
      searchText: [firstName, lastName, username, email, customerCode, customerName].join(" ").toLowerCase(),
      sortTexts: { username, email: email.toLowerCase(), customer: customerName.toLowerCase() },
    };
  });
}

/** USR-01; equal ones by username, which is nobody else's. */
export function sortRecords(records: readonly UserRecord[], key: UserSortKey, isDescending: boolean): UserRecord[] {
  const direction = isDescending ? -1 : 1;
  return records.toSorted(
    (a, b) => direction * compare(a.sortTexts[key], b.sortTexts[key]) || compare(a.sortTexts.username, b.sortTexts.username),
  );
}

/** USR-02: every word is in one of the searched fields. */
export function filterRecords(records: readonly UserRecord[], filterText: string): readonly UserRecord[] {
  const words = filterText.toLowerCase().split(/\s+/).filter(Boolean);
  return words.length === 0 ? records : records.filter(({ searchText }) => words.every((word) => searchText.includes(word)));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** At most `limit` characters, the cut marked. */
export const truncate = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit)}…` : text);

export function criteriaOf(search: Record<string, unknown>): UserCriteria {
  const sort = sortKeys.find((key) => key === search["sort"]) ?? "username";
  return {
    filterText: typeof search["filterText"] === "string" ? search["filterText"] : "",
    sort,
    isDescending: search["order"] === "desc",
  };
}

export const searchOf = ({ filterText, sort, isDescending }: UserCriteria) => ({
  filterText,
  sort: sort === "username" ? "" : sort,
  order: isDescending ? "desc" : "",
});
