import { Button } from "@mantine/core";
import { MessageLine } from "#ui/message-line.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { useNode, useSaveNode } from "./nodes.queries.ts";

/** What task B7 asks for, where the task is. */
export function SetNameplateValid({ serial }: { serial: string }) {
  const { data: node } = useNode(serial);
  const saveNode = useSaveNode();
  const outcome = useOutcome();
  if (!node || node.nameplateValid) return null;
  const save = () =>
    outcome.run(async () => {
      await saveNode({ id: node.id, patch: { nameplateValid: true, revision: node.revision } });
      return "Nameplate Valid is set";
    });
  return (
    <>
      <Button disabled={outcome.isWorking} loading={outcome.isWorking} onClick={() => void save()}>
        Set Nameplate Valid
      </Button>
      <MessageLine message={outcome.message} onCleared={outcome.clear} />
    </>
  );
}
