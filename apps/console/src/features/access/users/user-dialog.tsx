import { createUser, updateUser } from "@busbar/contract/access/users.ts";
import type { User } from "@busbar/contract/access/users.ts";
import { useState } from "react";
import { useApi } from "#api/api-context.ts";
import { useOutcome } from "#ui/use-outcome.ts";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { SaveBar } from "#ui/save-bar.tsx";
import { useSaveForm } from "#ui/save-form.ts";
import { UserFields } from "./user-fields.tsx";
import { changesOf, emptyUser, newUserResolver, userPatchResolver, valuesOf } from "./user-form.ts";
import type { UserFormValues } from "./user-form.ts";

export interface UserDialogProps {
  /** Absent: a new one. */
  user?: User;
  onClose: () => void;
}

/** USR-03, USR-04 */
export function UserDialog({ user, onClose }: UserDialogProps) {
  const [saved, setSaved] = useState(user);
  const call = useApi();
  const outcome = useOutcome();
  const { control, handleSubmit, reset, refuse, bar } = useSaveForm<UserFormValues>({
    resolver: saved ? userPatchResolver : newUserResolver,
    defaultValues: saved ? valuesOf(saved) : emptyUser(),
  });

  const submit = handleSubmit(async (values) => {
    await outcome.run(
      async () => {
        const next = saved
          ? await call(updateUser, { params: { id: String(saved.id) }, body: { ...changesOf(saved, values), revision: saved.revision } })
          : await call(createUser, { body: { ...values, activeStatus: "ACTIVE" } });
        setSaved(next);
        reset(valuesOf(next));
        return "User saved successfully";
      },
      { refuse },
    );
  });

  return (
    <Dialog title={saved ? `Edit User ${saved.username}` : "Add User"} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <UserFields control={control} user={saved} />
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        <SaveBar saveLabel="Save" {...bar} />
      </form>
    </Dialog>
  );
}
