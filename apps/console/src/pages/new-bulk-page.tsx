import type { BulkKind } from "@busbar/contract/directory/bulk-changes.ts";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { NewBulkScreen } from "#features/directory/bulk-changes/new-bulk-screen.tsx";
import { readNumbers } from "#lib/number-runs.ts";
import { PageFrame } from "./page-frame.tsx";
import { useAddressTexts } from "./use-address-texts.ts";

const id = /^[1-9]\d{0,8}$/;

/** Whose fields: the part of the address that names them. */
export function NewBulkPage() {
  const [{ nodes, locations, users }] = useAddressTexts("/bulk/new", ["nodes", "locations", "users"]);
  const navigate = useNavigate();
  const goTo = useCallback((made: number) => void navigate({ to: `/bulk/${made}`, replace: true }), [navigate]);
  const kind: BulkKind = locations !== "" ? "locations" : users !== "" ? "subscriptions" : "nodes";
  const { numbers, wrong } = useMemo(
    () => (kind === "nodes" ? readNumbers(nodes) : readNumbers(locations || users, id)),
    [kind, nodes, locations, users],
  );
  return (
    <PageFrame title="Edit many">
      <NewBulkScreen
        key={kind}
        kind={kind}
        chosen={numbers}
        wrong={wrong}
        {...(kind === "nodes" ? { configureHref: `#/batches/new?nodes=${nodes}` } : {})}
        onDone={goTo}
      />
    </PageFrame>
  );
}
