import { maxTaskNotesLength, type NodeTask, type NodeTasks } from "@busbar/contract/directory/node-tasks.ts";
import type { WiringEvidence } from "@busbar/contract/directory/deployments.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { Button, Textarea } from "@mantine/core";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { announce } from "#lib/announcer.ts";
import { serverClock } from "#lib/server-clock.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { ExternalLink } from "#ui/external-link.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { missingNode } from "#ui/missing-node.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { Notice } from "#ui/notice.tsx";
import { LeavingScope, UnsavedEdits, useLeaveQuestion } from "#ui/unsaved-edits.tsx";
import { EvidenceList } from "./evidence-list.tsx";
import { useNodeTasks } from "./node-tasks.queries.ts";
import { SeenTasks } from "./seen-tasks.tsx";
import { deployTaskId, labelsOf, taskGroups, taskLabel, wiringTaskId } from "./task-names.ts";
import { TaskPhotos } from "./task-photos.tsx";
import { SubTasks, TaskSteps } from "./task-steps.tsx";
import { UnsentPhotos } from "./unsent-photos.tsx";
import { useWaitingPhotos } from "./use-waiting-photos.ts";
import { useWaitingTicks } from "./use-waiting-ticks.ts";
import { RefusedTicks, WaitingTicksNotice } from "./waiting-ticks-notice.tsx";
import { nextTask, withTicks } from "./waiting-ticks.ts";
import "./deployment-steps.css";
import "./node-tasks.css";

export interface DeploymentStepsProps {
  serial: string;
  username: string;
  /** What of the console a task needs, such as its node's configuration. */
  renderVerbs: (task: NodeTask, node: NodeTasks) => ReactNode;
  /** What a task asks to be done in the console, where it is done in a press. */
  renderAct: (task: NodeTask) => ReactNode;
  /** What the node's values say of its wiring, and what they said when the task was completed. */
  renderWiring: (kept: WiringEvidence | null) => ReactNode;
}

/** A deployment for whoever is at the machine: one task at a time, in large words, also without network. */
export function DeploymentSteps({ serial, username, renderVerbs, renderAct, renderWiring }: DeploymentStepsProps) {
  const asked = useNodeTasks(serial);
  const { data: node, error } = asked;
  const { ticks, store, send } = useWaitingTicks(username, node !== undefined);
  // The one that was chosen, until it is done.
  const [taskId, setTaskId] = useState<number | undefined>();
  // How often several were completed at once: each time the page goes on with the next task.
  const [rounds, setRounds] = useState(0);
  // Held above the task: they go on when the next one is shown.
  const waitingPhotos = useWaitingPhotos(serial);
  // What a task holds is asked about before the next one; photos stay.
  const [scope] = useState(() => ({}));
  const { leaving, question } = useLeaveQuestion(scope);
  const leave = (go: () => void) => void leaving.mayLeave().then((isFree) => isFree && go());
  // Fetched with the page: other screens say what waits, also without network.
  useEffect(() => void import("./ticks-elsewhere.tsx").catch(() => undefined), []);
  const own = ticks.filter((tick) => tick.serial === serial);
  const tasks = node ? withTicks(node.tasks, own) : [];
  // Ticked to the end is not Deployed yet: that is still to be requested, or awaited.
  const isDeployed = !node?.evidence.some(({ kind, isSeen }) => kind === "deployed" && !isSeen);
  const last = isDeployed || tasks.some(({ status }) => status !== "COMPLETED") ? undefined : deployTaskId;
  const taskOf = (id: number | undefined) => tasks.find(({ taskTemplateId }) => taskTemplateId === id);
  const shown = taskOf(taskId) ?? nextTask(tasks) ?? taskOf(last);
  const timezone = node?.location?.timezone ?? null;
  const completed = node?.tasks.filter(({ status }) => status === "COMPLETED").length ?? 0;

  // Kept before it is sent: what is lost on its way is still here.
  const keep = ({ taskTemplateId, revision }: NodeTask, status: NodeTask["status"], notes: string) =>
    store.put({ serial, taskTemplateId, status, notes, revision, madeAt: Math.floor(serverClock.nowSeconds()) });
  const save = (task: NodeTask, notes: string, isDone: boolean) => {
    keep(task, isDone ? "COMPLETED" : task.status, notes);
    send();
    if (!isDone) return;
    const next = nextTask(
      withTicks(
        node?.tasks ?? [],
        store.get().filter((tick) => tick.serial === serial),
      ),
      task.taskTemplateId,
    );
    announce(`Task ${taskLabel(task)} is done`);
    setTaskId(next?.taskTemplateId);
  };
  const completeAll = (seen: readonly NodeTask[]) => {
    for (const task of seen) keep(task, "COMPLETED", task.notes);
    send();
    announce(`${counted(seen.length, "task is", "tasks are")} done`);
    setTaskId(undefined);
    setRounds(rounds + 1);
  };

  return (
    <div className="deployment-steps">
      <h1 className="page-title">
        Deployment of <NodeLink serial={serial} />
      </h1>
      <Loaded
        of={asked}
        loading={<LoadingForm label={`Loading the tasks of ${serial}`} fields={4} />}
        missing={{ ...missingNode, others: <a href="#/deployments">All deployments</a> }}
        staleWords="What is done here is kept."
      />
      <UnsentPhotos waiting={waitingPhotos} shownTaskId={shown?.taskTemplateId} />
      <RefusedTicks {...{ ticks, store, send, serial, timezone }} tasks={node?.tasks ?? []} />
      {node && (
        <>
          <p className="step-place">
            {node.location ? `${node.location.customerCode} / ${node.location.facilityName} / ${node.location.name}` : "At no location"}{" "}
            <a href="#/deployments">All deployments</a>
          </p>
          <p className="step-progress">
            <progress value={completed} max={tasks.length} aria-label="Completed tasks" /> {completed} of {tasks.length} completed
          </p>
          {/* What could not be read again may have ended. */}
          {!error && (
            <SeenTasks
              tasks={tasks}
              // What was refused waits for a decision.
              evidence={node.evidence.filter(
                ({ taskTemplateId }) => !own.some((tick) => tick.taskTemplateId === taskTemplateId && tick.refusal !== undefined),
              )}
              timezone={timezone}
              onComplete={(seen) => leave(() => completeAll(seen))}
            />
          )}
          {shown ? (
            <LeavingScope leaving={leaving}>
              <Step
                key={`${rounds}/${shown.taskTemplateId}`}
                task={shown}
                node={{ ...node, tasks }}
                onSave={(notes, isDone) => save(shown, notes, isDone)}
                onNext={() => leave(() => setTaskId(nextTask(tasks, shown.taskTemplateId)?.taskTemplateId))}
                verbs={renderVerbs(shown, node)}
                act={(shown.status !== "COMPLETED" || shown.taskTemplateId === last) && renderAct(shown)}
                wiring={shown.taskTemplateId === wiringTaskId && renderWiring(node.wiring)}
                photos={
                  <TaskPhotos
                    serial={serial}
                    taskId={shown.taskTemplateId}
                    photos={node.photos}
                    waiting={waitingPhotos}
                    timezone={timezone}
                    onBegin={() => setTaskId(shown.taskTemplateId)}
                  />
                }
              />
            </LeavingScope>
          ) : (
            <EmptyState title={tasks.every(({ status }) => status === "COMPLETED") ? "All tasks are completed" : "No task can be done now"}>
              <a href="#/deployments">All deployments</a>
            </EmptyState>
          )}
          <AllTasks tasks={tasks} shown={shown} onTask={(id) => leave(() => setTaskId(id))} />
        </>
      )}
      <WaitingTicksNotice {...{ ticks, store, send, serial }} />
      {question}
    </div>
  );
}

interface StepProps {
  task: NodeTask;
  node: NodeTasks;
  onSave: (notes: string, isDone: boolean) => void;
  onNext: () => void;
  verbs: ReactNode;
  act: ReactNode;
  wiring: ReactNode;
  photos: ReactNode;
}

function Step({ task, node, onSave, onNext, verbs, act, wiring, photos }: StepProps) {
  const [notes, setNotes] = useState(task.notes);
  // On what the person saw when they began: what someone else saves meanwhile is a conflict, and not overwritten.
  const [begun, setBegun] = useState(task);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => head.current?.focus(), []);
  const isDone = task.status === "COMPLETED";
  const hasEdits = notes !== begun.notes;
  const isTooLong = notes.length > maxTaskNotesLength;
  if (!hasEdits && begun.revision !== task.revision) {
    setBegun(task);
    setNotes(task.notes);
  }
  return (
    <section aria-label={`Task ${taskLabel(task)}`} className="step">
      <h2 ref={head} tabIndex={-1}>
        <span className="mono">{taskLabel(task)}</span> {task.name}
      </h2>
      <div className="step-verbs">{verbs}</div>
      {node.deploymentTaskType === null && (
        <Notice kind="warning">No deployment task type is chosen: steps for a new location or a replacement are not shown.</Notice>
      )}
      <TaskSteps steps={task.description} />
      <SubTasks subTasks={task.subTasks} deploymentTaskType={node.deploymentTaskType} level={3} />
      {task.externalLink && (
        <p>
          <ExternalLink {...task.externalLink} />
        </p>
      )}
      <EvidenceList
        evidence={node.evidence.filter(({ taskTemplateId }) => taskTemplateId === task.taskTemplateId)}
        timezone={node.location?.timezone ?? null}
      />
      {wiring}
      {task.editable && act && <div className="step-act">{act}</div>}
      {!task.editable && (
        <p className="task-prerequisites">Incomplete Prerequisites: {labelsOf(task.incompletePrerequisitesList, node.tasks)}</p>
      )}
      <Textarea
        label="Notes related to this task"
        autosize
        minRows={2}
        maxRows={10}
        value={notes}
        error={isTooLong && `At most ${maxTaskNotesLength} characters`}
        onChange={({ currentTarget }) => setNotes(currentTarget.value)}
      />
      <UnsavedEdits when={hasEdits} />
      {photos}
      <div className="step-foot">
        {isDone ? (
          <p className="good">
            <span aria-hidden="true">●</span> Completed
          </p>
        ) : (
          task.editable && (
            <Button size="lg" fullWidth disabled={isTooLong} onClick={() => onSave(notes, true)}>
              Done and next
            </Button>
          )
        )}
        <div className="step-verbs">
          {hasEdits && (
            <Button
              variant="default"
              disabled={isTooLong}
              onClick={() => {
                onSave(notes, false);
                setBegun({ ...task, notes });
              }}
            >
              Save notes
            </Button>
          )}
          <Button variant="default" onClick={onNext}>
            {isDone ? "Next" : "Skip"}
          </Button>
          {isDone && task.taskTemplateId === wiringTaskId && (
            <Button variant="default" disabled={isTooLong} onClick={() => onSave(notes, false)}>
              Take the verdict again
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}

interface AllTasksProps {
  tasks: readonly NodeTask[];
  shown: NodeTask | undefined;
  onTask: (taskId: number) => void;
}

function AllTasks({ tasks, shown, onTask }: AllTasksProps) {
  return (
    <details className="step-all">
      <summary>All tasks</summary>
      {taskGroups.map(({ id, title }) => (
        <section key={id} aria-label={title}>
          <h3>{title}</h3>
          <ul>
            {tasks
              .filter(({ groupId }) => groupId === id)
              .map((task) => (
                <li key={task.taskTemplateId}>
                  <button
                    type="button"
                    className="plain-button"
                    aria-current={task.taskTemplateId === shown?.taskTemplateId ? "step" : undefined}
                    onClick={() => onTask(task.taskTemplateId)}
                  >
                    <span aria-hidden="true">{task.status === "COMPLETED" ? "●" : "○"}</span>{" "}
                    <span className="mono">{taskLabel(task)}</span> {task.name}
                    {task.status === "COMPLETED" && <span className="visually-hidden">, completed</span>}
                  </button>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </details>
  );
}
