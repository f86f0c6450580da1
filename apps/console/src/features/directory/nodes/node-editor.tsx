import type { Node } from "@busbar/contract/directory/nodes.ts";
import { useState } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { FailureState } from "#ui/data-states.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { NodeForm } from "./node-form.tsx";
import { useNode } from "./nodes.queries.ts";

export interface NodeEditorProps {
  serial: string;
  onSaved?: (node: Node) => void;
}

/** The form of one node with a save bar of its own; the dialog and the location's bundle are around it. */
export function NodeEditor({ serial, onSaved }: NodeEditorProps) {
  const { data, error, refetch } = useNode(serial);
  // What the form began with stays under the person's hands while the query is asked again.
  const [base, setBase] = useState<Node | undefined>();
  const [loads, setLoads] = useState(0);
  const node = base ?? data;
  if (!node && error) return <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />;
  if (!node) return <LoadingForm label={`Loading node ${serial}`} fields={6} />;
  return (
    <LoadedEditor
      key={`${serial} ${loads}`}
      first={node}
      onBase={setBase}
      onReload={async () => {
        const { data: fresh } = await refetch();
        if (!fresh) return;
        setBase(fresh);
        setLoads((count) => count + 1);
      }}
      {...(onSaved ? { onSaved } : {})}
    />
  );
}

interface LoadedEditorProps {
  first: Node;
  onBase: (node: Node) => void;
  onReload: () => Promise<void>;
  onSaved?: (node: Node) => void;
}

function LoadedEditor({ first, onBase, onReload, onSaved }: LoadedEditorProps) {
  const [node, setNode] = useState(first);
  return (
    <NodeForm
      node={node}
      onReload={onReload}
      onSaved={(saved) => {
        setNode(saved);
        onBase(saved);
        onSaved?.(saved);
      }}
    />
  );
}
