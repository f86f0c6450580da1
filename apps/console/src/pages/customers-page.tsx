import { useState } from "react";
import { CustomersScreen } from "#features/directory/customers/customers-screen.tsx";
import type { TreeRequest } from "#features/directory/customers/tree-actions.ts";
import { useSession } from "#features/access/session/current-session.ts";
import { isObjectId } from "#lib/object-id.ts";
import { visibleText } from "#lib/visible-text.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { Notice } from "#ui/notice.tsx";
import { DialogSlot } from "#ui/program-part.tsx";
import { useLinkedDialogs } from "./linked-dialogs.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAskedTo } from "./use-asked-to.ts";
import { useAddressTexts } from "./use-address-texts.ts";

const CustomerDialog = lazyPart(() => import("#features/directory/customers/customer-dialog.tsx"), "CustomerDialog");
const FacilityDialog = lazyPart(() => import("#features/directory/customers/facility-dialog.tsx"), "FacilityDialog");
const DeleteCustomerDialog = lazyPart(() => import("#features/directory/customers/delete-customer-dialog.tsx"), "DeleteCustomerDialog");
const DeleteFacilityDialog = lazyPart(() => import("#features/directory/customers/delete-facility-dialog.tsx"), "DeleteFacilityDialog");
const ManagersDialog = lazyPart(() => import("#features/directory/customers/managers-dialog.tsx"), "ManagersDialog");
const MoveFacilityDialog = lazyPart(() => import("#features/directory/customers/move-facility-dialog.tsx"), "MoveFacilityDialog");
const DecommissionDialog = lazyPart(() => import("#features/directory/customers/decommission-dialog.tsx"), "DecommissionDialog");
const TakeBackDialog = lazyPart(() => import("#features/directory/customers/take-back-dialog.tsx"), "TakeBackDialog");

export function CustomersPage() {
  const [{ filterText }, change] = useAddressTexts("/customers", ["filterText"]);
  const [dialog, setDialog] = useState<TreeRequest | undefined>();
  useAskedTo("add", "/customers", () => setDialog({ kind: "add-customer" }));
  const linked = useLinkedDialogs();
  const [unknown, setUnknown] = useState<string | undefined>();
  useAskedTo("location", "/customers", (id) => {
    setUnknown(isObjectId(id) ? undefined : id);
    if (isObjectId(id)) linked.open({ kind: "location", locationId: Number(id) });
  });
  const mayMoveLocations = useSession()?.roles.includes("systemAdministrator") ?? false;

  const request = (asked: TreeRequest) => {
    switch (asked.kind) {
      case "add-location":
      case "location":
      case "location-notes":
      case "move-location":
      case "delete-location":
      case "node":
      case "swap-node":
        return linked.open(asked);
      default:
        return setDialog(asked);
    }
  };

  return (
    <PageFrame title="Customers">
      {unknown !== undefined && (
        <Notice kind="warning">
          This address names no location: {unknown === "" ? "it has no number" : `“${visibleText(unknown)}” is not its number`}.
        </Notice>
      )}
      <CustomersScreen
        filterText={filterText}
        permissions={{ mayMoveLocations }}
        onFilter={(text) => change({ filterText: text })}
        onRequest={request}
      />
      <DialogSlot onClose={() => setDialog(undefined)}>
        {dialog && <CustomersDialog dialog={dialog} onClose={() => setDialog(undefined)} />}
      </DialogSlot>
      {linked.dialogs}
    </PageFrame>
  );
}

function CustomersDialog({ dialog, onClose }: { dialog: TreeRequest; onClose: () => void }) {
  switch (dialog.kind) {
    case "add-customer":
      return <CustomerDialog onClose={onClose} />;
    case "edit-customer":
      return <CustomerDialog customer={dialog.customer} onClose={onClose} />;
    case "delete-customer":
      return <DeleteCustomerDialog customer={dialog.customer} onClose={onClose} />;
    case "add-facility":
      return <FacilityDialog customer={dialog.customer} onClose={onClose} />;
    case "edit-facility":
      return <FacilityDialog customer={dialog.customer} facility={dialog.facility} onClose={onClose} />;
    case "delete-facility":
      return <DeleteFacilityDialog customer={dialog.customer} facility={dialog.facility} onClose={onClose} />;
    case "facility-managers":
      return <ManagersDialog customer={dialog.customer} facility={dialog.facility} onClose={onClose} />;
    case "move-facility":
      return <MoveFacilityDialog customer={dialog.customer} facility={dialog.facility} onClose={onClose} />;
    case "add-decommissioned-node":
      return <DecommissionDialog customer={dialog.customer} onClose={onClose} />;
    case "delete-decommissioned-node":
      return <TakeBackDialog customer={dialog.customer} node={dialog.node} onClose={onClose} />;
    default:
      return null;
  }
}
