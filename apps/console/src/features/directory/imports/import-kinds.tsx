import { mostUserImportLines, planUserImport, runUserImport, userImportColumns } from "@busbar/contract/access/user-import.ts";
import { mostNodeImportLines, nodeImportColumns, planNodeImport, runNodeImport } from "@busbar/contract/directory/node-import.ts";
import { importColumns, mostImportLines, planPlaceImport, runPlaceImport } from "@busbar/contract/directory/place-import.ts";
import type { ReactNode } from "react";

export interface ImportKind {
  label: string;
  title: string;
  columns: Readonly<Record<string, string>>;
  mostLines: number;
  /** After what the file is. */
  rules: ReactNode;
  /** What is to be done about new ones afterwards. */
  next: string;
  /** Their types are the same. */
  plan: typeof planPlaceImport;
  run: typeof runPlaceImport;
}

export const importKinds = {
  places: {
    label: "Places",
    title: "Import customers, facilities and locations",
    columns: importColumns,
    mostLines: mostImportLines,
    rules: (
      <>
        A CSV file as the list of <a href="#/customers">customers</a> exports it: a line for each location. Customers go by their code,
        facilities and locations by their names; an empty cell changes nothing.
      </>
    ),
    next: "",
    plan: planPlaceImport,
    run: runPlaceImport,
  },
  nodes: {
    label: "Nodes",
    title: "Import nodes",
    columns: nodeImportColumns,
    mostLines: mostNodeImportLines,
    rules: (
      <>
        A CSV file as the list of <a href="#/nodes">nodes</a> exports it: a line for each node, by its serial number; an empty cell changes
        nothing. Customer code, facility and location place a node that is at no location. A new node needs a container, and gets no
        credentials by an import. One that becomes Deployed without a wiring verdict needs a wiring reason.
      </>
    ),
    next: "Credentials of several nodes are issued on Nodes.",
    plan: planNodeImport,
    run: runNodeImport,
  },
  users: {
    label: "Users",
    title: "Import users",
    columns: userImportColumns,
    mostLines: mostUserImportLines,
    rules: (
      <>
        A CSV file as the list of <a href="#/users">users</a> exports it: a line for each user, by the username; an empty cell changes
        nothing. A file has no passwords, and gives and takes no special privileges.
      </>
    ),
    next: "New users have no password yet: set one for each on Users, then send the welcome e-mail.",
    plan: planUserImport,
    run: runUserImport,
  },
} satisfies Record<string, ImportKind>;

export type ImportKindName = keyof typeof importKinds;
export const importKindNames = Object.keys(importKinds) as ImportKindName[];
