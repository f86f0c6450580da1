import { zodResolver } from "@hookform/resolvers/zod";
import { Button } from "@mantine/core";
import type { Node } from "@busbar/contract/directory/nodes.ts";
import type { Resolver } from "react-hook-form";
import { ApiError } from "#lib/api-error.ts";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { useLeave } from "#ui/unsaved-edits.tsx";
import { newNodeOf, nodeForm, patchOf, valuesOf } from "./node-form-values.ts";
import type { NodeFormValues } from "./node-form-values.ts";
import { OptionalSection } from "./node-optional-section.tsx";
import { NotAtLocationSection, RequiredSection } from "./node-required-section.tsx";
import { useSaveNode } from "./nodes.queries.ts";
import "./node-form.css";

export interface NodeFormProps {
  /** As it was last read or saved; undefined while it is being added. */
  node: Node | undefined;
  onSaved: (node: Node) => void;
  /** Begins again with the node as it is now. */
  onReload?: () => Promise<void>;
}

/** NFM-01 to NFM-10 */
export function NodeForm({ node, onSaved, onReload }: NodeFormProps) {
  const timezone = node?.timezone ?? "UTC";
  const saveNode = useSaveNode();
  const leave = useLeave();
  const form = useSaveForm<NodeFormValues>({
    resolver: zodResolver(nodeForm(node, timezone)) as Resolver<NodeFormValues>,
    defaultValues: valuesOf(node),
    fieldNames: { newDeploymentStatusUpdateTimestamp: "forcedTime" },
  });

  const { control, outcome } = form;
  const isOutdated = node !== undefined && outcome.error instanceof ApiError && outcome.error.status === 409;

  const save = form.saving(async (values) => {
    const saved = await saveNode(node ? { id: node.id, patch: patchOf(node, values, timezone) } : { create: newNodeOf(values, timezone) });
    form.reset(valuesOf(saved));
    onSaved(saved);
    return "Node updated successfully"; // NFM-08
  });

  return (
    <SaveForm
      form={form}
      onSubmit={save}
      saveLabel="Save"
      label={node ? `Node ${node.serialNumber}` : "New node"}
      foot="node-form-foot"
      beside={
        isOutdated &&
        onReload && (
          <Button variant="default" onClick={() => leave(() => void onReload())}>
            Load again
          </Button>
        )
      }
    >
      <RequiredSection control={control} node={node} timezone={timezone} />
      <NotAtLocationSection control={control} node={node} />
      <OptionalSection control={control} node={node} />
    </SaveForm>
  );
}
