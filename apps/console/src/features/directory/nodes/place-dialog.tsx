import { failureMessage } from "#lib/api-error.ts";
import { FailureState } from "#ui/data-states.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { useNode } from "./nodes.queries.ts";
import { PlaceForm } from "./place-form.tsx";

/** A node that is at no location gets one. */
export function PlaceDialog({ serial, onClose }: { serial: string; onClose: () => void }) {
  const { data: node, error, refetch } = useNode(serial);
  return (
    <Dialog title={`Place Node ${serial}`} onClose={onClose}>
      {!node && !error && <LoadingForm label={`Loading node ${serial}`} fields={2} />}
      {!node && error && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
      {node?.isAssigned && <p>It is at {node.locationName}.</p>}
      {node && !node.isAssigned && <PlaceForm node={node} saveLabel="Place" onPlaced={onClose} />}
    </Dialog>
  );
}
