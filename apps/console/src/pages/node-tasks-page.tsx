import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { NodeTasksScreen } from "#features/directory/node-tasks/node-tasks.tsx";
import { useNodeTasks } from "#features/directory/node-tasks/node-tasks.queries.ts";
import { TaskPhotos } from "#features/directory/node-tasks/task-photos.tsx";
import { UnsentPhotos } from "#features/directory/node-tasks/unsent-photos.tsx";
import { useWaitingPhotos } from "#features/directory/node-tasks/use-waiting-photos.ts";
import { KeptWiring } from "#features/telemetry/metering/kept-wiring.tsx";
import { WiringPanel } from "#features/telemetry/metering/wiring-panel.tsx";
import { lazyPart } from "#lib/lazy-part.ts";
import { DialogSlot } from "#ui/program-part.tsx";
import { useLinkedDialogs } from "./linked-dialogs.tsx";
import { PageFrame } from "./page-frame.tsx";

const TaskDialog = lazyPart(() => import("#features/directory/node-tasks/task-dialog.tsx"), "TaskDialog");

export function NodeTasksPage() {
  const { serialNumber = "" } = useParams({ strict: false });
  return <TasksOfNode key={serialNumber} serial={serialNumber} />;
}

function TasksOfNode({ serial }: { serial: string }) {
  const [openTaskId, setOpenTaskId] = useState<number | undefined>();
  const { data: node } = useNodeTasks(serial);
  const linked = useLinkedDialogs();
  // Held above the dialog: they go on when it is closed.
  const waitingPhotos = useWaitingPhotos(serial);
  const task = node?.tasks.find(({ taskTemplateId }) => taskTemplateId === openTaskId);

  return (
    <PageFrame title={`${serial} tasks`}>
      <UnsentPhotos waiting={waitingPhotos} shownTaskId={task?.taskTemplateId} />
      <NodeTasksScreen serial={serial} onOpen={({ taskTemplateId }) => setOpenTaskId(taskTemplateId)} />
      <DialogSlot onClose={() => setOpenTaskId(undefined)}>
        {node && task && (
          <TaskDialog
            key={task.taskTemplateId}
            task={task}
            node={node}
            onClose={() => setOpenTaskId(undefined)}
            onOpenNodeConfig={() => linked.open({ kind: "node-config", serial })}
            onOpenCredentials={() => linked.open({ kind: "credentials", serial })}
            onOpenNode={() => linked.open({ kind: "node", serial })}
            onOpenLocation={(locationId) => linked.open({ kind: "location", locationId })}
            renderWiring={() => <WiringPanel serial={serial} />}
            renderWiringEvidence={(wiring) => <KeptWiring wiring={wiring} />}
            photos={
              <TaskPhotos
                serial={serial}
                taskId={task.taskTemplateId}
                photos={node.photos}
                waiting={waitingPhotos}
                timezone={node.location?.timezone ?? null}
              />
            }
          />
        )}
      </DialogSlot>
      {linked.dialogs}
    </PageFrame>
  );
}
