import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { criteriaOf, searchOf } from "#features/node-dashboard/fleet-criteria.ts";
import type { FleetCriteria } from "#features/node-dashboard/fleet-criteria.ts";

const dashboardPath = "/node-dashboard";
const writeAfterMs = 200;

/**
 * What the dashboard keeps in the address: its criteria (DSH-04) and the open history.
 * Criteria replace the address, a moment after the last key; an open history is a step of its own, so that Back closes it and
 * a reload shows it again.
 */
export function useDashboardAddress() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const router = useRouter();
  const [pending, setPending] = useState<FleetCriteria | undefined>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const hasOpenedHere = useRef(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  const criteria = pending ?? criteriaOf(search);
  const historySerial = typeof search["history"] === "string" ? search["history"] : undefined;

  const write = async (next: FleetCriteria) => {
    await navigate({ to: dashboardPath, search: searchOf(next), replace: true });
    setPending((current) => (current === next ? undefined : current));
  };

  const changeCriteria = (next: FleetCriteria) => {
    setPending(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void write(next), writeAfterMs);
  };

  const openHistory = async (serial: string) => {
    clearTimeout(timer.current);
    if (pending) await write(pending);
    hasOpenedHere.current = true;
    await navigate({ to: dashboardPath, search: { ...searchOf(criteria), history: serial } });
  };

  const closeHistory = () => {
    if (hasOpenedHere.current) router.history.back();
    else void write(criteria);
    hasOpenedHere.current = false;
  };

  return { criteria, changeCriteria, historySerial, openHistory: (serial: string) => void openHistory(serial), closeHistory };
}
