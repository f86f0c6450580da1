import { counted } from "@busbar/contract/values/counted.ts";
import type { Customer, Facility } from "@busbar/contract/directory/customer-tree.ts";
import { setFacilityManagers, type SavedFacility } from "@busbar/contract/directory/facilities.ts";
import { getUsers, type User } from "@busbar/contract/access/users.ts";
import { Anchor, Checkbox, ScrollArea, TextInput } from "@mantine/core";
import { useState } from "react";
import { useApi } from "#api/api-context.ts";
import { useApiQuery } from "#api/use-api-query.ts";
import { Loaded } from "#ui/loaded.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { SaveForm } from "#ui/save-form.tsx";
import { useCustomers } from "./customers.queries.ts";
import { filterWords } from "./tree-rows.ts";

export interface ManagersDialogProps {
  customer: Customer;
  facility: Facility;
  onClose: () => void;
}

/** CUS-06: managers are chosen from the users of the facility's customer. */
export function ManagersDialog({ customer, facility, onClose }: ManagersDialogProps) {
  const users = useApiQuery(getUsers, {});
  const offered = users.data?.filter(({ customerCode }) => customerCode === customer.code);

  return (
    <Dialog title={`Managers of ${facility.name}`} onClose={onClose}>
      <Loaded of={users} loading={<LoadingRows label="Loading the users" rows={4} height={32} />} />
      {offered?.length === 0 && (
        <EmptyState title={`${customer.name} has no user`}>
          <Anchor href="#/users">Add one under Users</Anchor>
        </EmptyState>
      )}
      {offered && offered.length > 0 && <ManagersForm customer={customer} facility={facility} users={offered} />}
    </Dialog>
  );
}

const nameOf = ({ firstName, lastName }: User) => `${firstName} ${lastName}`.trim();

function ManagersForm({ customer, facility, users }: Omit<ManagersDialogProps, "onClose"> & { users: readonly User[] }) {
  const call = useApi();
  const outcome = useOutcome();
  const [saved, setSaved] = useState<SavedFacility>(facility);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(() => new Set(facility.managers));
  const [search, setSearch] = useState("");
  const latest = useCustomers()
    .data?.find(({ id }) => id === customer.id)
    ?.facilities.find(({ id }) => id === facility.id);
  const show = (next: SavedFacility) => {
    setSaved(next);
    setChosen(new Set(next.managers));
  };
  const words = filterWords(search);
  const listed = users.filter((user) => {
    const text = `${nameOf(user)} ${user.username} ${user.email}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const hasEdits = chosen.size !== saved.managers.length || saved.managers.some((id) => !chosen.has(id));
  const toggle = (id: number) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const submit = () =>
    outcome.run(async () => {
      const managers = users.map(({ id }) => id).filter((id) => chosen.has(id));
      const next = await call(setFacilityManagers, {
        params: { id: String(customer.id), facilityId: String(facility.id) },
        query: { revision: String(saved.revision) },
        body: managers,
      });
      show(next);
      return "Facility managers saved successfully";
    });

  return (
    <SaveForm
      form={{ line: outcome, bar: { isValid: true, isWorking: outcome.isWorking, hasEdits } }}
      onSubmit={submit}
      saveLabel="Save"
      className="dialog-form"
      reload={
        latest && latest.revision > saved.revision
          ? {
              noun: "facility",
              changed: String(latest.managers) === String(saved.managers) ? [] : ["managers"],
              isLosing: hasEdits,
              onReload: () => {
                show(latest);
                outcome.clear();
              },
            }
          : undefined
      }
    >
      <TextInput
        aria-label="Search users"
        placeholder="Name, username or e-mail"
        type="search"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        data-autofocus
      />
      <ScrollArea.Autosize mah="50vh">
        <fieldset className="manager-list">
          <legend className="visually-hidden">Managers</legend>
          {listed.map((user) => (
            <Checkbox
              key={user.id}
              checked={chosen.has(user.id)}
              onChange={() => toggle(user.id)}
              label={`${nameOf(user) || user.username} (${user.username})${user.activeStatus === "SUSPENDED" ? ", suspended" : ""}`}
              description={user.email}
            />
          ))}
        </fieldset>
      </ScrollArea.Autosize>
      <span className="dim">
        {chosen.size} of {counted(users.length, "user")} of {customer.name} chosen
      </span>
    </SaveForm>
  );
}
