import { criteriaOf, searchOf } from "#features/directory/nodes/node-list-criteria.ts";
import { NodeList } from "#features/directory/nodes/node-list.tsx";
import { useLinkedDialogs } from "./linked-dialogs.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAskedToAdd } from "./use-asked-to-add.ts";
import { useAddressCriteria } from "./use-address-criteria.ts";

const path = "/nodes";

export function NodesPage() {
  const { criteria, change } = useAddressCriteria({ path, criteriaOf, searchOf });
  const { open, dialogs } = useLinkedDialogs();
  useAskedToAdd(path, () => open({ kind: "add-node" }));
  return (
    <PageFrame title="Nodes">
      <NodeList
        criteria={criteria}
        onCriteria={change}
        onAdd={() => open({ kind: "add-node" })}
        onEditNode={(serial) => open({ kind: "node", serial })}
        onEditLocation={(locationId) => open({ kind: "location", locationId })}
        onEditConfig={(serial) => open({ kind: "node-config", serial })}
      />
      {dialogs}
    </PageFrame>
  );
}
