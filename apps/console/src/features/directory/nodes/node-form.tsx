import { zodResolver } from "@hookform/resolvers/zod";
import type { Node } from "@busbar/contract/directory/nodes.ts";
import type { Resolver } from "react-hook-form";
import { usePutBack } from "#ui/put-back.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { newNodeOf, nodeForm, patchOf, valuesOf, type NodeFormValues } from "./node-form-values.ts";
import { OptionalSection } from "./node-optional-section.tsx";
import { NotAtLocationSection, RequiredSection } from "./node-required-section.tsx";
import { useSaveNode } from "./nodes.queries.ts";
import "./node-form.css";

export interface NodeFormProps {
  /** As it was last read or saved; undefined while it is being added. */
  node: Node | undefined;
  onSaved: (node: Node) => void;
  /** As it is now, whoever saved it. */
  latest?: Node | undefined;
  onLoad?: (node: Node) => void;
}

/** NFM-01 to NFM-10 */
export function NodeForm({ node, latest, onLoad, onSaved }: NodeFormProps) {
  const timezone = node?.timezone ?? "UTC";
  const saveNode = useSaveNode();
  const old = usePutBack(`node/${node?.serialNumber}`);
  const form = useSaveForm<NodeFormValues>({
    resolver: zodResolver(nodeForm(node, timezone)) as Resolver<NodeFormValues>,
    defaultValues: valuesOf(node),
    putBack: node && old && valuesOf({ ...node, ...old }),
    fieldNames: { newDeploymentStatusUpdateTimestamp: "forcedTime" },
  });

  const { control } = form;
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
      object={node && `node/${node.serialNumber}`}
      reload={form.reloadOf({ noun: "node", saved: node, latest, valuesOf, onLoad: (fresh) => onLoad?.(fresh) })}
    >
      <RequiredSection control={control} node={node} timezone={timezone} />
      <NotAtLocationSection control={control} node={node} />
      <OptionalSection control={control} node={node} />
    </SaveForm>
  );
}
