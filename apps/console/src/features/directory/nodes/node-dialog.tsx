import type { Node } from "@busbar/contract/directory/nodes.ts";
import { useState } from "react";
import { Dialog } from "#ui/dialog.tsx";
import { NodeEditor } from "./node-editor.tsx";
import { NodeForm } from "./node-form.tsx";

/** NFM-01 */
export function NodeDialog({ serial, onClose }: { serial: string; onClose: () => void }) {
  return (
    <Dialog title={`Edit Node ${serial}`} onClose={onClose}>
      <NodeEditor serial={serial} />
    </Dialog>
  );
}

/** NFM-01: once the node is added, the same form goes on as its editor. */
export function AddNodeDialog({ onClose }: { onClose: () => void }) {
  const [node, setNode] = useState<Node | undefined>();
  return (
    <Dialog title={node ? `Edit Node ${node.serialNumber}` : "Add Node"} onClose={onClose}>
      <NodeForm node={node} onSaved={setNode} />
    </Dialog>
  );
}
