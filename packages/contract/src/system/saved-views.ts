import * as z from "zod/mini";
import { endpoint } from "../endpoint.ts";
import { EntityId } from "../values/entity-id.ts";
import { ExpectedRevision } from "../values/revision.ts";

/** Lists of the console that are filtered and sorted by their address. */
export const viewLists = ["nodes", "users", "node-dashboard", "events", "changes", "trends"] as const;
const ViewList = z.enum(viewLists, `list is one of ${viewLists.join(", ")}`);
export type ViewList = z.infer<typeof ViewList>;

export const longestViewName = 60;
export const longestViewQuery = 2000;
/** Of a person, for each list. */
export const mostOwnViews = 50;

const fields = {
  name: z
    .string("Name is a text")
    .check(
      z.trim(),
      z.minLength(1, "Name is required"),
      z.maxLength(longestViewName, `Name has at most ${longestViewName} characters`),
      z.regex(/^\P{Cc}*$/u, "Name is one line of text"),
    ),
  isShared: z.boolean("isShared is true or false"),
};
/** Filters, order and columns, as the list's address has them after the question mark. */
const query = z
  .string("query is a text")
  .check(
    z.maxLength(longestViewQuery, `query has at most ${longestViewQuery} characters`),
    z.regex(/^\P{Cc}*$/u, "query is one line of text"),
  );

/** The form's values. */
export const ViewForm = z.object(fields);
export type ViewForm = z.infer<typeof ViewForm>;

export const NewView = z.strictObject({ list: ViewList, ...fields, query });
export type NewView = z.output<typeof NewView>;

export const ViewPatch = z.strictObject({
  name: z.optional(fields.name),
  isShared: z.optional(fields.isShared),
  query: z.optional(query),
  /** Shown where the list is opened without a filter; of the caller alone, who may choose a view of someone else too. */
  isDefault: z.optional(z.boolean("isDefault is true or false")),
  revision: ExpectedRevision,
});
export type ViewPatch = z.output<typeof ViewPatch>;

/** How someone looks at a list, by a name. */
export const SavedView = z.object({
  id: z.int(),
  name: z.string(),
  /** A username; empty where that person was deleted. */
  owner: z.string(),
  isOwn: z.boolean(),
  isShared: z.boolean(),
  isDefault: z.boolean(),
  /** The caller's own, or a shared one that a system administrator clears away. */
  mayDelete: z.boolean(),
  query: z.string(),
  revision: z.int(),
});
export type SavedView = z.infer<typeof SavedView>;

export const getViews = endpoint("GET /api/views", {
  access: "staff",
  summary: "The caller's own and all shared views of a list, own ones first, by name",
  query: z.strictObject({ list: ViewList }),
  data: z.array(SavedView),
});

export const createView = endpoint("POST /api/views", {
  access: "staff",
  summary: `Save how a list is looked at, by a name; ${mostOwnViews} of a list at most`,
  changes: ["/views"],
  body: NewView,
  data: SavedView,
});

export const updateView = endpoint("PATCH /api/views/{id}", {
  access: "staff",
  summary: "Change an own view, or make a view the caller's default",
  changes: ["/views"],
  params: z.object({ id: EntityId }),
  body: ViewPatch,
  data: SavedView,
});

export const deleteView = endpoint("DELETE /api/views/{id}", {
  access: "staff",
  summary: "Delete an own view; a system administrator deletes any shared one",
  changes: ["/views"],
  params: z.object({ id: EntityId }),
  data: z.object({ id: z.int() }),
});
