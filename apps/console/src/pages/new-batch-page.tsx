import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { readNumbers } from "#lib/number-runs.ts";
import { NewBatchScreen } from "#features/telemetry/config-batches/new-batch-screen.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAddressTexts } from "./use-address-texts.ts";

export function NewBatchPage() {
  const [{ nodes }] = useAddressTexts("/batches/new", ["nodes"]);
  const navigate = useNavigate();
  const goTo = useCallback((id: number) => void navigate({ to: `/batches/${id}`, replace: true }), [navigate]);
  const { numbers, wrong } = useMemo(() => readNumbers(nodes), [nodes]);
  return (
    <PageFrame title="Change many nodes">
      <NewBatchScreen serials={numbers} wrong={wrong} onMade={goTo} />
    </PageFrame>
  );
}
