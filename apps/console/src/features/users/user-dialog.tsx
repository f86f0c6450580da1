import { createUser, updateUser } from "@busbar/contract/users.ts";
import type { User } from "@busbar/contract/users.ts";
import { useEffect, useState } from "react";
import { useForm } from "react-hook-form";
import { useApi } from "#api/api-context.ts";
import { useOutcome } from "#api/use-outcome.ts";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { SaveBar } from "#ui/save-bar.tsx";
import { UserFields } from "./user-fields.tsx";
import { changesOf, emptyUser, newUserResolver, userPatchResolver, valuesOf } from "./user-form.ts";
import type { UserFormValues } from "./user-form.ts";
import { useReloadUsers } from "./users.queries.ts";

export interface UserDialogProps {
  /** Absent: a new one. */
  user?: User;
  onClose: () => void;
}

/** USR-03, USR-04 */
export function UserDialog({ user, onClose }: UserDialogProps) {
  const [saved, setSaved] = useState(user);
  const call = useApi();
  const reloadUsers = useReloadUsers();
  const outcome = useOutcome();
  const { control, handleSubmit, reset, trigger, formState } = useForm<UserFormValues>({
    resolver: saved ? userPatchResolver : newUserResolver,
    mode: "onChange",
    defaultValues: saved ? valuesOf(saved) : emptyUser(),
  });
  // COM-03 speaks of fields marked in red: those that are required are so from the start.
  useEffect(() => void trigger(), [trigger]);

  const submit = handleSubmit(async (values) => {
    await outcome.run(async () => {
      const next = saved
        ? await call(updateUser, { params: { id: String(saved.id) }, body: { ...changesOf(saved, values), revision: saved.revision } })
        : await call(createUser, { body: { ...values, activeStatus: "ACTIVE" } });
      setSaved(next);
      reset(valuesOf(next));
      void reloadUsers();
      return "User saved successfully";
    });
  });

  return (
    <Dialog title={saved ? `Edit User ${saved.username}` : "Add User"} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <UserFields control={control} user={saved} />
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        <SaveBar saveLabel="Save" isValid={formState.isValid} isWorking={outcome.isWorking} />
      </form>
    </Dialog>
  );
}
