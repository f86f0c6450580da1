import { Dialog } from "#ui/dialog.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { useNode } from "./nodes.queries.ts";
import { PlaceForm } from "./place-form.tsx";

/** A node that is at no location gets one. */
export function PlaceDialog({ serial, onClose }: { serial: string; onClose: () => void }) {
  const asked = useNode(serial);
  const { data: node } = asked;
  return (
    <Dialog title={`Place Node ${serial}`} onClose={onClose}>
      <Loaded of={asked} loading={<LoadingForm label={`Loading node ${serial}`} fields={2} />} />
      {node?.isAssigned && <p>It is at {node.locationName}.</p>}
      {node && !node.isAssigned && <PlaceForm node={node} saveLabel="Place" onPlaced={onClose} />}
    </Dialog>
  );
}
