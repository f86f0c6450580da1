import { zodResolver } from "@hookform/resolvers/zod";
import { Button } from "@mantine/core";
import type { Node } from "@busbar/contract/directory/nodes.ts";
import { useState } from "react";
import type { Resolver } from "react-hook-form";
import { ApiError, failureMessage } from "#lib/api-error.ts";
import { MessageLine } from "#ui/message-line.tsx";
import type { Message } from "#ui/message-line.tsx";
import { SaveBar } from "#ui/save-bar.tsx";
import { useSaveForm } from "#ui/save-form.ts";
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
  const [message, setMessage] = useState<Message | undefined>();
  const [isOutdated, setIsOutdated] = useState(false);
  const save = useSaveNode();
  const leave = useLeave();
  const { control, handleSubmit, reset, refuse, bar } = useSaveForm<NodeFormValues>({
    resolver: zodResolver(nodeForm(node, timezone)) as Resolver<NodeFormValues>,
    defaultValues: valuesOf(node),
    fieldNames: { newDeploymentStatusUpdateTimestamp: "forcedTime" },
  });

  const submit = handleSubmit(async (values) => {
    setMessage({ kind: "working", text: "Sending request to server..." }); // COM-11
    setIsOutdated(false);
    try {
      const saved = await save(node ? { id: node.id, patch: patchOf(node, values, timezone) } : { create: newNodeOf(values, timezone) });
      reset(valuesOf(saved));
      setMessage({ kind: "success", text: "Node updated successfully" }); // NFM-08
      onSaved(saved);
    } catch (error) {
      setMessage({ kind: "error", text: failureMessage(error) });
      refuse(error);
      setIsOutdated(node !== undefined && error instanceof ApiError && error.status === 409);
    }
  });

  return (
    <form
      onSubmit={(event) => (bar.isWorking ? event.preventDefault() : void submit(event))}
      noValidate
      aria-label={node ? `Node ${node.serialNumber}` : "New node"}
    >
      <RequiredSection control={control} node={node} timezone={timezone} />
      <NotAtLocationSection control={control} node={node} />
      <OptionalSection control={control} node={node} />
      <div className="node-form-foot">
        <MessageLine message={message} onCleared={() => setMessage(undefined)} />
        {isOutdated && onReload && (
          <Button variant="default" onClick={() => leave(() => void onReload())}>
            Load again
          </Button>
        )}
        <SaveBar saveLabel="Save" {...bar} />
      </div>
    </form>
  );
}
