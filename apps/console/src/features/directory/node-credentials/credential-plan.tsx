import { Button, Group, Stack } from "@mantine/core";
import {
  createNodeCredentials,
  getNodeCredentials,
  revokeNodeCredentials,
  type NodeCredentials,
} from "@busbar/contract/directory/node-credentials.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import type { SubmitEvent } from "react";
import { useApi } from "#api/api-context.ts";
import { useApiQuery } from "#api/use-api-query.ts";
import { DataTable } from "#ui/data-table.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { PasscodeInput } from "#ui/passcode-input.tsx";
import { UnsavedEdits } from "#ui/unsaved-edits.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { usePasscode } from "#ui/use-passcode.ts";
import { isLeftOut, planColumns, type PlannedNode } from "./credential-columns.tsx";

export interface CredentialPlanProps {
  serials: readonly string[];
  onMade: (credentials: NodeCredentials[]) => void;
  /** To other serial numbers. */
  onBack: (() => void) | undefined;
}

/** What the nodes have and what becomes of it; one code confirms exactly that. */
export function CredentialPlan({ serials, onMade, onBack }: CredentialPlanProps) {
  const call = useApi();
  const outcome = useOutcome();
  const passcode = usePasscode(outcome);
  const asked = useApiQuery(getNodeCredentials, { query: { serials: serials.join(",") } });
  const { data } = asked;
  if (!data)
    return <Loaded of={asked} loading={<LoadingRows label="Loading the nodes" rows={Math.min(serials.length, 8)} height={34} />} />;

  const bySerial = new Map(data.map((node) => [node.serialNumber, node]));
  const planned: PlannedNode[] = serials.map((serialNumber) => ({ serialNumber, node: bySerial.get(serialNumber) }));
  const taken = planned.flatMap((plan) => (plan.node && !isLeftOut(plan) ? [plan.node] : []));
  const inForce = data.filter(({ state }) => state === "in force");

  const confirmed = async (act: (code: string) => Promise<string | undefined>) => {
    if (outcome.isWorking) return;
    if (passcode.isMissing()) return;
    await outcome.run(() => act(passcode.code));
    passcode.spend();
  };
  const versions = (nodes: typeof data) => nodes.map(({ serialNumber, version }) => ({ serialNumber, version }));
  const issue = (event: SubmitEvent) => {
    event.preventDefault();
    if (taken.length > 0)
      void confirmed(async (code) => {
        onMade(await call(createNodeCredentials, { body: { nodes: versions(taken), code } }));
        return undefined;
      });
  };
  const revoke = () =>
    confirmed(async (code) => {
      const { revoked } = await call(revokeNodeCredentials, { body: { nodes: versions(inForce), code } });
      return `Credentials of ${counted(revoked, "node")} revoked`;
    });

  return (
    <form onSubmit={issue} noValidate aria-label="Credentials">
      {/* Of a delivery, whose serial numbers were entered. */}
      <UnsavedEdits when={onBack !== undefined} />
      <Stack gap="sm">
        <DataTable columns={planColumns} rows={planned} keyOf={({ serialNumber }) => serialNumber} aria-label="Nodes" />
        <PasscodeInput {...passcode.field} data-autofocus />
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        <Group justify="flex-end" gap="sm">
          {onBack && (
            <Button variant="default" onClick={onBack}>
              Other nodes
            </Button>
          )}
          {inForce.length > 0 && (
            <Button color="red.9" disabled={outcome.isWorking} onClick={() => void revoke()}>
              {inForce.length === 1 ? "Revoke credentials" : `Revoke credentials of ${counted(inForce.length, "node")}`}
            </Button>
          )}
          <Button type="submit" disabled={taken.length === 0 || outcome.isWorking} loading={outcome.isWorking}>
            {taken.length === 1 ? "Issue new credentials" : `Issue new credentials of ${counted(taken.length, "node")}`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
