import { activeStatuses, userFlags, type User } from "@busbar/contract/access/users.ts";
import { Fieldset, Stack } from "@mantine/core";
import type { Control } from "react-hook-form";
import { CheckboxField } from "#ui/checkbox-field.tsx";
import { SelectField } from "#ui/select-field.tsx";
import { PasswordField, TextField } from "#ui/text-field.tsx";
import type { UserFormValues } from "./user-form.ts";
import { useCustomerNames } from "./users.queries.ts";

export interface UserFieldsProps {
  control: Control<UserFormValues>;
  /** Absent for a new one. */
  user: User | undefined;
}

/** USR-03: all fields of the User entity. */
export function UserFields({ control, user }: UserFieldsProps) {
  return (
    <div className="user-form-columns">
      <Stack gap="sm">
        <TextField
          control={control}
          name="username"
          label="Username"
          description="A lowercase letter, then lowercase letters, digits, @ . _"
          isLowercase
          isRequired
          spellCheck={false}
          autoComplete="off"
          data-autofocus
        />
        <TextField control={control} name="firstName" label="First Name" isRequired autoComplete="off" />
        <TextField control={control} name="lastName" label="Last Name" isRequired autoComplete="off" />
        <TextField control={control} name="email" label="Email" type="email" isRequired autoComplete="off" spellCheck={false} />
        <CustomerSelect control={control} user={user} />
        {!user && (
          <>
            <PasswordField
              control={control}
              name="password"
              label="Password"
              description="8 or more of letters, digits and # . ! & % + - _"
              isRequired
              autoComplete="new-password"
            />
            <PasswordField control={control} name="passwordConfirm" label="Confirm Password" isRequired autoComplete="new-password" />
          </>
        )}
      </Stack>
      <Stack gap="sm">
        <Fieldset legend="Notifications and access">
          <Stack gap="xs">
            {userFlags.map(({ name, label, help }) => (
              <CheckboxField key={name} control={control} name={name} label={label} {...(help === "" ? {} : { description: help })} />
            ))}
          </Stack>
        </Fieldset>
        <SelectField
          control={control}
          name="activeStatus"
          label="Active Status"
          data={[...activeStatuses]}
          disabled={!user}
          description={user ? "SUSPENDED ends the user's sessions at once and keeps the user from signing in" : "A new user is ACTIVE"}
        />
        <dl className="user-facts">
          <dt>Roles</dt>
          <dd>{user && user.roles.length > 0 ? `Special Privileges (${user.roles.join(", ")})` : "None"}</dd>
        </dl>
      </Stack>
    </div>
  );
}

function CustomerSelect({ control, user }: UserFieldsProps) {
  const { data = [] } = useCustomerNames();
  const known = data.map(({ code, name }) => ({ value: code, label: `${name} (${code})` }));
  const own = user?.customerCode ?? "";
  const missing = own !== "" && !known.some(({ value }) => value === own) ? [{ value: own, label: own }] : [];
  const none = user?.administrator ? [{ value: "", label: "None: staff" }] : [];
  return (
    <SelectField
      control={control}
      name="customerCode"
      label="Customer"
      placeholder="Choose a customer"
      data={[...none, ...missing, ...known]}
      {...(user ? { description: "Another customer revokes the user's keys" } : {})}
      searchable
      isRequired={!user?.administrator}
      limit={200}
    />
  );
}
