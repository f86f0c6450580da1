import { counted } from "@busbar/contract/values/counted.ts";
import type { Customer, Facility } from "@busbar/contract/directory/customer-tree.ts";
import { moveFacility } from "@busbar/contract/directory/facilities.ts";
import { useState } from "react";
import { useApi } from "#api/api-context.ts";
import { useOutcome } from "#ui/use-outcome.ts";
import { afterPress } from "#lib/after-press.ts";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { SaveForm } from "#ui/save-form.tsx";
import { Select } from "#ui/select.tsx";
import { useCustomers } from "./customers.queries.ts";

export interface MoveFacilityDialogProps {
  customer: Customer;
  facility: Facility;
  onClose: () => void;
}

/** CUS-07 */
export function MoveFacilityDialog({ customer, facility, onClose }: MoveFacilityDialogProps) {
  const call = useApi();
  const outcome = useOutcome();
  const [targetId, setTargetId] = useState<string | null>(null);
  const [isTouched, setIsTouched] = useState(false);
  const [isMoved, setIsMoved] = useState(false);
  const targets = (useCustomers().data ?? []).filter(({ id }) => id !== customer.id);
  const target = targets.find(({ id }) => String(id) === targetId);
  const nodes = facility.locations.reduce((sum, location) => sum + location.nodes.length, 0);

  const move = async () => {
    if (!target) return;
    await outcome.run(async () => {
      const moved = await call(moveFacility, {
        params: { id: String(customer.id), facilityId: String(facility.id), newCustomerId: String(target.id) },
      });
      setIsMoved(true);
      const left = moved.removedManagers > 0 ? `; ${counted(moved.removedManagers, "manager")} left it` : "";
      return `${facility.name} moved to ${target.name} with ${counted(moved.locations, "location")} and ${counted(moved.nodes, "node")}${left}`;
    });
  };

  return (
    <Dialog title={`Move Facility ${facility.name}`} onClose={onClose}>
      {isMoved ? (
        <MessageLine message={outcome.message} onCleared={undefined} />
      ) : (
        <SaveForm
          form={{ line: outcome, bar: { isValid: target !== undefined, isWorking: outcome.isWorking, hasEdits: targetId !== null } }}
          onSubmit={move}
          saveLabel="Move"
          className="dialog-form"
        >
          <Select
            label="New Customer"
            description={`${facility.name} is at ${customer.name} now`}
            placeholder="Choose a customer"
            data={targets.map(({ id, name, code }) => ({ value: String(id), label: `${name} (${code})` }))}
            value={targetId}
            onChange={setTargetId}
            onBlur={() => afterPress(() => setIsTouched(true))}
            error={target ? undefined : isTouched ? "Choose another customer" : true}
            limit={100}
            searchable
            data-autofocus
            openOnFocus={false}
            withAsterisk
            aria-required
          />
          <ul className="gone-list">
            <li>
              {counted(facility.locations.length, "location")} and {counted(nodes, "node")} move with it, and keep their history.
            </li>
            {facility.managers.length > 0 && (
              <li>
                {counted(facility.managers.length, "manager leaves", "managers leave")} it: managers are users of the facility's customer.
              </li>
            )}
            <li>Its type becomes Inherit from Customer.</li>
          </ul>
        </SaveForm>
      )}
    </Dialog>
  );
}
