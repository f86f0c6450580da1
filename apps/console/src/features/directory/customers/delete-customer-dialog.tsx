import { counted } from "@busbar/contract/values/counted.ts";
import type { Customer } from "@busbar/contract/directory/customer-tree.ts";
import { deleteCustomer } from "@busbar/contract/directory/customers.ts";
import { useApi } from "#api/api-context.ts";
import { PasscodeDialog } from "#ui/passcode-dialog.tsx";
import { useCustomers } from "./customers.queries.ts";
import { locationCount } from "./item-facts.tsx";

/** CUS-04 */
export function DeleteCustomerDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const call = useApi();
  const now = useCustomers().data?.find(({ id }) => id === customer.id) ?? customer;
  const facilities = now.facilities.length;
  const locations = locationCount(now);
  const nodes = now.facilities.reduce(
    (sum, facility) => sum + facility.locations.reduce((count, location) => count + location.nodes.length, 0),
    0,
  );
  const contents = `${counted(facilities, "facility")} and ${counted(locations, "location")}`;

  return (
    <PasscodeDialog
      title={`Delete customer ${now.name}${facilities > 0 ? ` with ${contents}` : ""}?`}
      confirmLabel={facilities > 0 ? `Delete its ${contents} too` : undefined}
      onClose={onClose}
      onConfirm={async (code) => {
        await call(deleteCustomer, {
          params: { id: String(customer.id), code },
          query: { confirm: `${facilities},${locations}` },
        });
        return "Customer deleted successfully. Click 'Close' to return to customer list.";
      }}
    >
      {facilities === 0 ? (
        <p>Nothing hangs on this customer.</p>
      ) : (
        <ul className="gone-list">
          <li>{contents} are deleted, with the notes of the locations.</li>
          <li>{counted(nodes, "node becomes", "nodes become")} free and Unassigned. What nodes measured stays.</li>
        </ul>
      )}
      {now.decommissionedNodes.length > 0 && (
        <p>
          {counted(
            now.decommissionedNodes.length,
            "decommissioned node is in the way: delete it",
            "decommissioned nodes are in the way: delete them",
          )}{" "}
          from the list first.
        </p>
      )}
    </PasscodeDialog>
  );
}
