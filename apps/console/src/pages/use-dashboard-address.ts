import { useNavigate, useRouter } from "@tanstack/react-router";
import { useRef } from "react";
import { criteriaOf, searchOf } from "#features/telemetry/node-dashboard/fleet-criteria.ts";
import { useAddressCriteria } from "./use-address-criteria.ts";

const path = "/node-dashboard";

/**
 * What the dashboard keeps in the address: its criteria (DSH-04) and the open history. An open history is a step of its own, so
 * that Back closes it and a reload shows it again.
 */
export function useDashboardAddress() {
  const { criteria, search, change, goTo, settle } = useAddressCriteria({ path, criteriaOf, searchOf });
  const navigate = useNavigate();
  const router = useRouter();
  const hasOpenedHere = useRef(false);
  const historySerial = typeof search["history"] === "string" ? search["history"] : undefined;

  const openHistory = async (serial: string) => {
    await settle();
    hasOpenedHere.current = true;
    // As it was written, with the view that it began with.
    await navigate({ to: path, search: (written) => ({ ...written, history: serial }) });
  };

  const closeHistory = () => {
    if (hasOpenedHere.current) router.history.back();
    else goTo(criteria);
    hasOpenedHere.current = false;
  };

  return { criteria, changeCriteria: change, historySerial, openHistory: (serial: string) => void openHistory(serial), closeHistory };
}
