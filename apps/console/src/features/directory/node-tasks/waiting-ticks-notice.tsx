import { counted } from "@busbar/contract/values/counted.ts";
import type { NodeTask } from "@busbar/contract/directory/node-tasks.ts";
import { Button, Group } from "@mantine/core";
import { formatDateTime } from "#lib/format-date.ts";
import { Notice, NoticeButton } from "#ui/notice.tsx";
import { labelOfId, updaterOf } from "./task-names.ts";
import type { TickStore, WaitingTick } from "./waiting-ticks.ts";

export interface WaitingTicksNoticeProps {
  ticks: readonly WaitingTick[];
  store: TickStore;
  send: () => void;
  serial: string;
}

/** What waits: below all that is pressed, as it comes and goes with each tick that is sent. */
export function WaitingTicksNotice({ ticks, store, send, serial }: WaitingTicksNoticeProps) {
  const waiting = ticks.filter((tick) => tick.serial === serial && tick.refusal === undefined);
  const held = waiting.filter(({ waitsFor }) => waitsFor !== undefined);
  const elsewhere = [...new Set(ticks.filter((tick) => tick.serial !== serial).map((tick) => tick.serial))];
  return (
    <>
      {!store.isKept() && ticks.some(({ refusal }) => refusal === undefined) && (
        <Notice kind="error">This browser keeps nothing: stay on this page until everything is sent.</Notice>
      )}
      {waiting.length > 0 && (
        <Notice kind="warning" action={<NoticeButton onClick={send}>Send now</NoticeButton>}>
          {counted(waiting.length, "task waits", "tasks wait")} to be sent:{" "}
          {labelsOfIds(waiting.map(({ taskTemplateId }) => taskTemplateId))}. Kept in this browser; sent by itself as soon as the platform
          takes it.
          {held.map(({ taskTemplateId, waitsFor = [] }) => (
            <span key={taskTemplateId}>
              {" "}
              {labelOfId(taskTemplateId)} needs {labelsOfIds(waitsFor)} first.
            </span>
          ))}
        </Notice>
      )}
      {elsewhere.length > 0 && (
        <p>
          Tasks of other nodes wait to be sent:{" "}
          {elsewhere.map((each) => (
            <a key={each} className="mono waiting-node" href={`#/deployments/${each}`}>
              {each}
            </a>
          ))}
        </p>
      )}
    </>
  );
}

export interface RefusedTicksProps extends WaitingTicksNoticeProps {
  /** Of the node that is shown, as the server has them. */
  tasks: readonly NodeTask[];
  timezone: string | null;
}

/** What the server refused: the person looks at both sides and decides. */
export function RefusedTicks({ ticks, store, send, serial, tasks, timezone }: RefusedTicksProps) {
  return ticks
    .filter((tick) => tick.serial === serial && tick.refusal !== undefined)
    .map((tick) => (
      <Conflict
        key={tick.taskTemplateId}
        tick={tick}
        task={tasks.find(({ taskTemplateId }) => taskTemplateId === tick.taskTemplateId)}
        timezone={timezone}
        onInsist={(revision) => {
          store.insist(tick, revision);
          send();
        }}
        onDrop={() => {
          store.drop(tick);
          send();
        }}
      />
    ));
}

const labelsOfIds = (ids: readonly number[]): string => ids.map(labelOfId).join(", ");
/** What a form says to do next; here there are buttons. */
const formAdvice = /\. Load it again and repeat your change\.?$/;

interface ConflictProps {
  tick: WaitingTick;
  task: NodeTask | undefined;
  timezone: string | null;
  onInsist: (revision: number) => void;
  onDrop: () => void;
}

const wordsOf = ({ status, notes }: Pick<WaitingTick, "status" | "notes">): string =>
  `${status === "COMPLETED" ? "completed" : "not completed"}, ${notes.trim() === "" ? "no notes" : `notes “${notes}”`}`;

/** What the person entered beside what is there now; neither is overwritten by itself. */
function Conflict({ tick, task, timezone, onInsist, onDrop }: ConflictProps) {
  const label = labelOfId(tick.taskTemplateId);
  const at = (timestamp: number) => formatDateTime(timestamp, timezone ?? "UTC");
  return (
    <section className="tick-conflict" aria-label={`Task ${label} was not saved`}>
      <Notice kind="error">
        Task {label} was not saved: {tick.refusal?.replace(formAdvice, "")}
      </Notice>
      <dl>
        <dt>Yours</dt>
        <dd>
          {wordsOf(tick)} <span className="dim">{at(tick.madeAt)}</span>
        </dd>
        <dt>Now</dt>
        <dd>
          {task ? wordsOf(task) : "not known"}{" "}
          {task && task.lastUpdatedTimestamp !== -1 && (
            <span className="dim">
              {updaterOf(task)}, {at(task.lastUpdatedTimestamp)}
            </span>
          )}
        </dd>
      </dl>
      <Group gap="xs">
        <Button variant="default" disabled={!task} onClick={() => task && onInsist(task.revision)}>
          Save mine
        </Button>
        <Button variant="default" onClick={onDrop}>
          Drop mine
        </Button>
      </Group>
    </section>
  );
}
