import { Suspense, lazy, useEffect, useRef, useState } from "react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { NodeDashboard } from "#features/node-dashboard/node-dashboard.tsx";
import { criteriaOf, searchOf } from "#features/node-dashboard/fleet-view.ts";
import type { FleetCriteria } from "#features/node-dashboard/fleet-view.ts";
import { PageFrame } from "./page-frame.tsx";

const HistoryDialog = lazy(() => import("#features/scalar-history/history-dialog.tsx").then((module) => ({ default: module.HistoryDialog })));

const writeAfterMs = 200;

/** The dialogs that this page can show. */
type OpenDialog = { kind: "history"; serial: string; timezone: string | null };

export function NodeDashboardPage() {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const [criteria, setCriteria] = useState<FleetCriteria>(() => criteriaOf(search));
  const [dialog, setDialog] = useState<OpenDialog | undefined>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  // DSH-04: typing stays in this page, the address follows shortly after
  const change = (next: FleetCriteria) => {
    setCriteria(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void navigate({ to: "/node-dashboard", search: searchOf(next), replace: true }), writeAfterMs);
  };

  return (
    <PageFrame title="Dashboard">
      <NodeDashboard criteria={criteria} onCriteria={change} onOpenHistory={(serial, timezone) => setDialog({ kind: "history", serial, timezone })} />
      <Suspense>{dialog?.kind === "history" && <HistoryDialog serial={dialog.serial} timezone={dialog.timezone} onClose={() => setDialog(undefined)} />}</Suspense>
    </PageFrame>
  );
}
