import { useNavigate, useParams } from "@tanstack/react-router";
import { useCallback } from "react";
import { BulkScreen } from "#features/directory/bulk-changes/bulk-screen.tsx";
import { PageFrame } from "./page-frame.tsx";

export function BulkPage() {
  const { bulkId = "" } = useParams({ strict: false }) as { bulkId?: string };
  const navigate = useNavigate();
  const goTo = useCallback((id: number) => void navigate({ to: `/bulk/${id}` }), [navigate]);
  return (
    <PageFrame title={`Bulk change ${bulkId}`}>
      <BulkScreen key={bulkId} id={bulkId} onUndone={goTo} />
    </PageFrame>
  );
}
