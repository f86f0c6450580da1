import type { Change } from "@busbar/contract/system/changes.ts";
import type { ReactNode } from "react";
import { useCustomers } from "#features/directory/customers/customers.queries.ts";
import { useNodeTasks } from "#features/directory/node-tasks/node-tasks.queries.ts";
import { useUsers } from "#features/access/users/users.queries.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Loaded, type Asked } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { PutBack } from "#ui/put-back.tsx";
import type { LinkedDialog } from "./linked-dialog.ts";

const CustomerDialog = lazyPart(() => import("#features/directory/customers/customer-dialog.tsx"), "CustomerDialog");
const FacilityDialog = lazyPart(() => import("#features/directory/customers/facility-dialog.tsx"), "FacilityDialog");
const UserDialog = lazyPart(() => import("#features/access/users/user-dialog.tsx"), "UserDialog");
const NoteDialog = lazyPart(() => import("#features/directory/location-notes/note-dialog.tsx"), "NoteDialog");
const TaskDialog = lazyPart(() => import("#features/directory/node-tasks/task-dialog.tsx"), "TaskDialog");
const SettingsDialog = lazyPart(() => import("#features/system/system-config/settings-dialog.tsx"), "SettingsDialog");

export interface PutBackDialogProps {
  change: Change;
  onClose: () => void;
  /** Draws a dialog that other screens open too. */
  renderLinked: (dialog: LinkedDialog) => ReactNode;
  onOpen: (dialog: LinkedDialog) => void;
}

/** The form of what was changed, with its old values entered. */
export function PutBackDialog({ change, onClose, renderLinked, onOpen }: PutBackDialogProps) {
  const { object, action, within } = change;
  const before = change.before ?? {};
  const [id = "", ownerId = ""] = [object, within ?? ""].map((name) => name.split("/")[1]);
  return (
    // Of a node's task neither the node's own form, nor that of another task, is meant.
    <PutBack object={action === "PATCH_TASK" ? `${object}/${within}` : object} values={before}>
      {action === "PATCH_NODE" && renderLinked({ kind: "node", serial: id })}
      {action === "PATCH_NODE_CONFIG" && renderLinked({ kind: "node-config", serial: id })}
      {action === "PATCH_LOCATION" && renderLinked({ kind: "location", locationId: Number(id) })}
      {action === "PATCH_CUSTOMER" && <CustomerPutBack id={Number(id)} onClose={onClose} />}
      {action === "PATCH_FACILITY" && <FacilityPutBack id={Number(id)} onClose={onClose} />}
      {action === "PATCH_USER" && <UserPutBack id={Number(id)} onClose={onClose} />}
      {action === "PATCH_NOTE" && <NoteDialog locationId={Number(ownerId)} noteId={Number(id)} onClose={onClose} />}
      {action === "PATCH_TASK" && <TaskPutBack serial={id} taskId={Number(ownerId)} onClose={onClose} onOpen={onOpen} />}
      {action === "PATCH_SYSTEM_CONFIG" && <SettingsDialog old={before} onClose={onClose} />}
    </PutBack>
  );
}

interface ItemProps {
  id: number;
  onClose: () => void;
}

function CustomerPutBack({ id, onClose }: ItemProps) {
  const asked = useCustomers();
  const customer = asked.data?.find((each) => each.id === id);
  if (customer) return <CustomerDialog customer={customer} onClose={onClose} />;
  return <Missing what="customer" asked={asked} onClose={onClose} />;
}

function FacilityPutBack({ id, onClose }: ItemProps) {
  const asked = useCustomers();
  const customer = asked.data?.find(({ facilities }) => facilities.some((each) => each.id === id));
  const facility = customer?.facilities.find((each) => each.id === id);
  if (customer && facility) return <FacilityDialog customer={customer} facility={facility} onClose={onClose} />;
  return <Missing what="facility" asked={asked} onClose={onClose} />;
}

function UserPutBack({ id, onClose }: ItemProps) {
  const asked = useUsers();
  const user = asked.data?.find((each) => each.id === id);
  if (user) return <UserDialog user={user} renderMore={() => null} onClose={onClose} />;
  return <Missing what="user" asked={asked} onClose={onClose} />;
}

interface TaskPutBackProps extends Pick<PutBackDialogProps, "onClose" | "onOpen"> {
  serial: string;
  taskId: number;
}

function TaskPutBack({ serial, taskId, onClose, onOpen }: TaskPutBackProps) {
  const asked = useNodeTasks(serial);
  const { data: node } = asked;
  const task = node?.tasks.find(({ taskTemplateId }) => taskTemplateId === taskId);
  if (!node || !task) return <Missing what="task" asked={asked} onClose={onClose} />;
  return (
    <TaskDialog
      task={task}
      node={node}
      onClose={onClose}
      onOpenNodeConfig={() => onOpen({ kind: "node-config", serial })}
      onOpenCredentials={() => onOpen({ kind: "credentials", serial })}
      onOpenNode={() => onOpen({ kind: "node", serial })}
      onOpenLocation={(locationId) => onOpen({ kind: "location", locationId })}
    />
  );
}

interface MissingProps {
  what: string;
  asked: Asked<unknown>;
  onClose: () => void;
}

function Missing({ what, asked, onClose }: MissingProps) {
  return (
    <Dialog title="Put back" onClose={onClose}>
      <Loaded of={asked} loading={<LoadingForm label={`Loading the ${what}`} fields={6} />}>
        {() => <p>This {what} was deleted since.</p>}
      </Loaded>
    </Dialog>
  );
}
