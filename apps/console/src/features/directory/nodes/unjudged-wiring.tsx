import type { Node } from "@busbar/contract/directory/nodes.ts";
import type { FieldValues } from "react-hook-form";
import { Notice } from "#ui/notice.tsx";
import { TextField, type FormFieldProps } from "#ui/text-field.tsx";
import { wrapperOrder } from "./node-choices.ts";

export interface UnjudgedWiringProps<Values extends FieldValues> extends FormFieldProps<Values> {
  node: Pick<Node, "wiringVerdict">;
}

/** Why Deployed asks for a reason, and the reason. */
export function UnjudgedWiring<Values extends FieldValues>({ node: { wiringVerdict }, ...field }: UnjudgedWiringProps<Values>) {
  return (
    <>
      <Notice kind="warning">{wiringVerdict === "" ? "No wiring verdict has been taken here yet." : `Wiring: ${wiringVerdict}`}</Notice>
      <TextField
        {...field}
        label="Reason for Deployed without a wiring verdict"
        inputWrapperOrder={wrapperOrder}
        description="Task B2 takes the verdict. The reason is kept with this change"
        isRequired
      />
    </>
  );
}
