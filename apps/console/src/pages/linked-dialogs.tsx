import { useState, type ReactNode } from "react";
import { lazyPart } from "#lib/lazy-part.ts";
import { DialogSlot } from "#ui/program-part.tsx";
import type { LinkedDialog } from "./linked-dialog.ts";

const NodeConfigDialog = lazyPart(() => import("#features/telemetry/node-config/node-config-dialog.tsx"), "NodeConfigDialog");
const AddNodeDialog = lazyPart(() => import("#features/directory/nodes/node-dialog.tsx"), "AddNodeDialog");
const PlaceDialog = lazyPart(() => import("#features/directory/nodes/place-dialog.tsx"), "PlaceDialog");
const NodeDialog = lazyPart(() => import("#features/directory/nodes/node-dialog.tsx"), "NodeDialog");
const CredentialsDialog = lazyPart(() => import("#features/directory/node-credentials/credentials-dialog.tsx"), "CredentialsDialog");
const LocationDialog = lazyPart(() => import("./location-dialog.tsx"), "LocationDialog");
const AddLocationDialog = lazyPart(() => import("#features/directory/locations/add-location-dialog.tsx"), "AddLocationDialog");
const DeleteLocationDialog = lazyPart(() => import("#features/directory/locations/delete-location-dialog.tsx"), "DeleteLocationDialog");
const MoveLocationDialog = lazyPart(() => import("#features/directory/locations/move-location-dialog.tsx"), "MoveLocationDialog");
const LocationNotesDialog = lazyPart(() => import("#features/directory/location-notes/location-notes-dialog.tsx"), "LocationNotesDialog");
const SwapDialog = lazyPart(() => import("#features/directory/node-swap/swap-dialog.tsx"), "SwapDialog");

/** A stack of dialogs: `open` puts one on top; `dialogs` is at the end of the page. */
export function useLinkedDialogs(): { open: (dialog: LinkedDialog) => void; dialogs: ReactNode } {
  const [stack, setStack] = useState<LinkedDialog[]>([]);
  const open = (dialog: LinkedDialog) => setStack((current) => [...current, dialog]);
  const closeFrom = (index: number) => setStack((current) => current.slice(0, index));
  const dialogs = stack.map((dialog, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- a place in the stack is what a dialog is
    <DialogSlot key={`${index} ${JSON.stringify(dialog)}`} onClose={() => closeFrom(index)}>
      <LinkedDialogFor dialog={dialog} onClose={() => closeFrom(index)} onOpen={open} />
    </DialogSlot>
  ));
  return { open, dialogs };
}

interface LinkedDialogForProps {
  dialog: LinkedDialog;
  onClose: () => void;
  onOpen: (dialog: LinkedDialog) => void;
}

/** One of them. */
export function LinkedDialogFor({ dialog, onClose, onOpen }: LinkedDialogForProps) {
  switch (dialog.kind) {
    case "add-node":
      return (
        <AddNodeDialog
          onClose={onClose}
          onCredentials={(serial) => onOpen({ kind: "credentials", serial })}
          onTasks={(serial) => (location.hash = `#/deployments/${serial}`)}
        />
      );
    case "node":
      return (
        <NodeDialog
          serial={dialog.serial}
          onClose={onClose}
          onCredentials={(serial) => onOpen({ kind: "credentials", serial })}
          onPlace={() => onOpen({ kind: "place-node", serial: dialog.serial })}
        />
      );
    case "place-node":
      return <PlaceDialog serial={dialog.serial} onClose={onClose} />;
    case "node-config":
      return <NodeConfigDialog serial={dialog.serial} onClose={onClose} />;
    case "credentials":
      return <CredentialsDialog serial={dialog.serial} onClose={onClose} />;
    case "swap-node":
      return <SwapDialog serial={dialog.serial} onClose={onClose} onCredentials={(serial) => onOpen({ kind: "credentials", serial })} />;
    case "location":
      return <LocationDialog locationId={dialog.locationId} onClose={onClose} onOpen={onOpen} />;
    case "add-location":
      return (
        <AddLocationDialog
          customerId={dialog.customerId}
          facilityId={dialog.facilityId}
          facilityName={dialog.facilityName}
          onClose={onClose}
        />
      );
    case "delete-location":
      return <DeleteLocationDialog locationId={dialog.locationId} onClose={onClose} />;
    case "move-location":
      return <MoveLocationDialog locationId={dialog.locationId} onClose={onClose} />;
    case "location-notes":
      return <LocationNotesDialog locationId={dialog.locationId} onClose={onClose} />;
  }
}
