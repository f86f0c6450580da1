import { createMute, endMute, getMutes, getPauses, type NewMute } from "@busbar/contract/alarms/mutes.ts";
import { useApiMutation } from "#api/use-api-mutation.ts";
import { useApiQuery } from "#api/use-api-query.ts";

const refreshMs = 30_000;

export const useMutes = () => useApiQuery(getMutes, {}, { refetchInterval: refreshMs });

export const usePauses = () => useApiQuery(getPauses, {}, { refetchInterval: refreshMs });

export const useCreateMute = () => useApiMutation((call, body: NewMute) => call(createMute, { body }));

export const useEndMute = () => useApiMutation((call, id: number) => call(endMute, { params: { id: String(id) } }));
