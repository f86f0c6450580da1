import { EarlierPlaces } from "#features/directory/customers/earlier-places.tsx";
import { criteriaOf, searchOf } from "#features/directory/nodes/node-list-criteria.ts";
import { NodeList } from "#features/directory/nodes/node-list.tsx";
import { addressOf } from "#lib/number-runs.ts";
import { useLinkedDialogs } from "./linked-dialogs.tsx";
import { ListViews } from "./list-views.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAskedTo } from "./use-asked-to.ts";
import { useAddressCriteria } from "./use-address-criteria.ts";

const path = "/nodes";
const taken = (search: Record<string, string>) => searchOf(criteriaOf(search));

export function NodesPage() {
  const { criteria, change } = useAddressCriteria({ path, criteriaOf, searchOf });
  const { open, dialogs } = useLinkedDialogs();
  useAskedTo("add", path, () => open({ kind: "add-node" }));
  return (
    <PageFrame title="Nodes">
      <NodeList
        criteria={criteria}
        onCriteria={change}
        views={<ListViews list="nodes" path={path} search={searchOf(criteria)} taken={taken} />}
        configureHref={(serials) => `#/batches/new?nodes=${addressOf(serials)}`}
        editManyHref={(serials) => `#/bulk/new?nodes=${addressOf(serials)}`}
        editLocationsHref={(ids) => `#/bulk/new?locations=${addressOf(ids.map(String))}`}
        earlier={<EarlierPlaces filterText={criteria.filterText.trim()} list="nodes" />}
        onAdd={() => open({ kind: "add-node" })}
        onCredentials={() => open({ kind: "credentials" })}
        onEditNode={(serial) => open({ kind: "node", serial })}
        onEditLocation={(locationId) => open({ kind: "location", locationId })}
        onEditConfig={(serial) => open({ kind: "node-config", serial })}
      />
      {dialogs}
    </PageFrame>
  );
}
