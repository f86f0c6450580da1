import { createUser, updateUser, type User } from "@busbar/contract/access/users.ts";
import { useState, type ReactNode } from "react";
import { useApi } from "#api/api-context.ts";
import { Dialog } from "#ui/dialog.tsx";
import { usePutBack } from "#ui/put-back.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { UserFields } from "./user-fields.tsx";
import { changesOf, emptyUser, newUserResolver, userPatchResolver, valuesOf, type UserFormValues } from "./user-form.ts";
import { useUsers } from "./users.queries.ts";

export interface UserDialogProps {
  /** Absent: a new one. */
  user?: User;
  /** What else there is of a user, once there is one. */
  renderMore: (user: User) => ReactNode;
  onClose: () => void;
}

/** USR-03, USR-04 */
export function UserDialog({ user, renderMore, onClose }: UserDialogProps) {
  const [saved, setSaved] = useState(user);
  const old = usePutBack(`user/${user?.id}`);
  const call = useApi();
  const form = useSaveForm<UserFormValues>({
    resolver: saved ? userPatchResolver : newUserResolver,
    defaultValues: saved ? valuesOf(saved) : emptyUser(),
    putBack: saved && old && valuesOf({ ...saved, ...old }),
  });
  const { control, reset, saving, reloadOf } = form;
  const latest = useUsers().data?.find(({ id }) => id === saved?.id);

  const save = saving(async (values) => {
    const next = saved
      ? await call(updateUser, { params: { id: String(saved.id) }, body: { ...changesOf(saved, values), revision: saved.revision } })
      : await call(createUser, { body: { ...values, activeStatus: "ACTIVE" } });
    setSaved(next);
    reset(valuesOf(next));
    return "User saved successfully";
  });

  return (
    <Dialog title={saved ? `Edit User ${saved.username}` : "Add User"} onClose={onClose}>
      <SaveForm
        form={form}
        onSubmit={save}
        saveLabel="Save"
        object={saved && `user/${saved.id}`}
        reload={reloadOf({ noun: "user", saved, latest, valuesOf, onLoad: setSaved })}
      >
        <UserFields control={control} user={saved} />
      </SaveForm>
      {saved && renderMore(saved)}
    </Dialog>
  );
}
