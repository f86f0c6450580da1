import type { Node } from "@busbar/contract/directory/nodes.ts";
import { useState } from "react";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { NodeForm } from "./node-form.tsx";
import { useNode } from "./nodes.queries.ts";

export interface NodeEditorProps {
  serial: string;
  onSaved?: (node: Node) => void;
}

/** The form of one node with a save bar of its own; the dialog and the location's bundle are around it. */
export function NodeEditor({ serial, onSaved }: NodeEditorProps) {
  const asked = useNode(serial);
  // What the form began with stays under the person's hands while the query is asked again.
  const [base, setBase] = useState<Node | undefined>();
  const node = base?.serialNumber === serial ? base : asked.data;
  if (!node) return <Loaded of={asked} loading={<LoadingForm label={`Loading node ${serial}`} fields={6} />} />;
  if (base !== node) setBase(node);
  return (
    <NodeForm
      key={serial}
      node={node}
      latest={asked.data}
      onLoad={setBase}
      onSaved={(saved) => {
        setBase(saved);
        onSaved?.(saved);
      }}
    />
  );
}
