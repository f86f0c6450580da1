import { DeploymentBoard } from "#features/directory/node-tasks/deployment-board.tsx";
import { deploymentFilterChoices, deploymentFilterNames } from "#features/directory/node-tasks/deployment-groups.ts";
import { PageFrame } from "./page-frame.tsx";
import { useAddressTexts } from "./use-address-texts.ts";

export function DeploymentsPage() {
  const [filter, change] = useAddressTexts("/deployments", deploymentFilterNames, deploymentFilterChoices);
  return (
    <PageFrame title="Deployments">
      <DeploymentBoard filter={filter} onFilter={change} />
    </PageFrame>
  );
}
