import { counted } from "@busbar/contract/values/counted.ts";
import type { Customer, Facility } from "@busbar/contract/directory/customer-tree.ts";
import { deleteFacility } from "@busbar/contract/directory/facilities.ts";
import { useApi } from "#api/api-context.ts";
import { PasscodeDialog } from "#ui/passcode-dialog.tsx";
import { useCustomers } from "./customers.queries.ts";

export interface DeleteFacilityDialogProps {
  customer: Customer;
  facility: Facility;
  onClose: () => void;
}

/** CUS-08 */
export function DeleteFacilityDialog({ customer, facility, onClose }: DeleteFacilityDialogProps) {
  const call = useApi();
  const now =
    useCustomers()
      .data?.find(({ id }) => id === customer.id)
      ?.facilities.find(({ id }) => id === facility.id) ?? facility;
  const locations = now.locations.length;
  const nodes = now.locations.reduce((sum, location) => sum + location.nodes.length, 0);
  const contents = counted(locations, "location");

  return (
    <PasscodeDialog
      title={`Delete facility ${now.name}${locations > 0 ? ` with ${contents}` : ""}?`}
      confirmLabel={locations > 0 ? `Delete its ${contents} too` : undefined}
      onClose={onClose}
      onConfirm={async (code) => {
        await call(deleteFacility, {
          params: { id: String(customer.id), facilityId: String(facility.id), code },
          query: { confirm: String(locations) },
        });
        return "Facility deleted successfully. Click 'Close' to return to facility list.";
      }}
    >
      {locations === 0 ? (
        <p>No location hangs on this facility.</p>
      ) : (
        <ul className="gone-list">
          <li>{counted(locations, "location and its notes are", "locations and their notes are")} deleted.</li>
          <li>{counted(nodes, "node becomes", "nodes become")} free and Unassigned. What nodes measured stays.</li>
        </ul>
      )}
    </PasscodeDialog>
  );
}
