import type { Handlers } from "#http/endpoints.ts";
import type { SavedViews } from "./saved-views.service.ts";

export function savedViewsHandlers(views: SavedViews) {
  return {
    getViews: ({ query }, { caller }) => views.list(caller, query.list),
    createView: ({ body }, { caller }) => views.create(caller, body),
    updateView: ({ params, body }, { caller }) => views.update(caller, params.id, body),
    deleteView: ({ params }, { caller }) => views.delete(caller, params.id),
  } satisfies Partial<Handlers>;
}
