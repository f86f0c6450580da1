import {
  createView,
  deleteView,
  getViews,
  updateView,
  type NewView,
  type ViewList,
  type ViewPatch,
} from "@busbar/contract/system/saved-views.ts";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiQuery } from "#api/use-api-query.ts";

export const useViews = (list: ViewList) => useApiQuery(getViews, { query: { list } });

export const useCreateView = () => useApiMutation((call, body: NewView) => call(createView, { body }));

export const useUpdateView = () =>
  useApiMutation((call, { id, ...body }: ViewPatch & { id: number }) => call(updateView, { params: { id: String(id) }, body }));

export const useDeleteView = () => useApiMutation((call, id: number) => call(deleteView, { params: { id: String(id) } }));
