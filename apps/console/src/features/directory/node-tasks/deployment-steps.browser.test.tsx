import { MantineProvider } from "@mantine/core";
import type { NodeTask, NodeTasks } from "@busbar/contract/directory/node-tasks.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { beforeEach, expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { ticksKey } from "#lib/ticks-key.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { DeploymentSteps } from "./deployment-steps.tsx";

const getTasks = "GET /nodes/{serial}/tasks";
const patchTask = "PATCH /nodes/{serial}/tasks/tasktemplate/{id}";
const away = () => {
  throw new ApiError(0, "NETWORK", "Unable to connect to server. Please try again later.");
};

/** A server with three tasks, each of which needs the one before, that keeps what it is sent. */
function serverOf() {
  const rows = new Map<number, Pick<NodeTask, "status" | "notes" | "revision" | "lastUpdatedFullname" | "lastUpdatedTimestamp">>();
  const statusOf = (id: number) => rows.get(id)?.status ?? "NOT_COMPLETED";
  const taskOf = (id: number): NodeTask => {
    const incomplete = id === 101 || statusOf(id - 1) === "COMPLETED" ? [] : [id - 1];
    return {
      serialNumber: "10101",
      taskTemplateId: id,
      sequenceId: id % 100,
      groupId: 1,
      name: `Task number ${id % 100}`,
      description: ["Look first"],
      subTasks: {},
      externalLink: null,
      notes: "",
      editable: incomplete.length === 0,
      incompletePrerequisitesList: incomplete,
      status: "NOT_COMPLETED",
      lastUpdatedUserId: null,
      lastUpdatedTimestamp: -1,
      lastUpdatedUsername: "",
      lastUpdatedFullname: "",
      revision: 0,
      ...rows.get(id),
    };
  };
  const write = (id: number, status: NodeTask["status"], notes: string, by: string) =>
    rows.set(id, { status, notes, revision: taskOf(id).revision + 1, lastUpdatedFullname: by, lastUpdatedTimestamp: 1_790_000_000 });
  const read = (): NodeTasks => ({
    tasks: [101, 102, 103].map(taskOf),
    evidence: [{ taskTemplateId: 101, kind: "connected", isSeen: true, sentence: "It is connected.", timestamp: null }],
    photos: [],
    wiring: null,
    deploymentTaskType: "RMA",
    location: null,
  });
  const patch = (input: Record<string, unknown>) => {
    const { params, body } = input as { params: { id: string }; body: Pick<NodeTask, "status" | "notes" | "revision"> };
    const id = Number(params.id);
    if (body.revision !== taskOf(id).revision)
      throw new ApiError(409, "CONFLICT", `Task A${id % 100} was changed by Bo Ray meanwhile. Load it again and repeat your change`);
    if (!taskOf(id).editable) throw new ApiError(409, "CONFLICT", "Incomplete Prerequisites");
    write(id, body.status, body.notes, "Ann Lee");
    return taskOf(id);
  };
  const api = fakeApi({ [getTasks]: read, [patchTask]: patch });
  const patches = () => api.asked.filter(({ endpoint }) => endpoint === patchTask).map(({ input }) => input);
  return { api, patch, write, taskOf, patches, read };
}

const show = (
  api: ReturnType<typeof fakeApi>,
  username = "ann",
  renderAct: (task: NodeTask) => ReactNode = () => null,
  queries = new QueryClient({ defaultOptions: { queries: { retry: false } } }),
) =>
  render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <ApiContext value={api.call}>
          <DeploymentSteps
            serial="10101"
            username={username}
            renderVerbs={() => null}
            renderAct={renderAct}
            renderWiring={() => <p>Its wiring</p>}
          />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
const kept = (username = "ann") => JSON.parse(localStorage.getItem(ticksKey(username)) ?? "[]") as { taskTemplateId: number }[];
const isBack = () => dispatchEvent(new Event("online"));

beforeEach(() => localStorage.clear());

test("one task at a time: done and next saves it with its notes and goes on to the next", async () => {
  const { api, patches } = serverOf();
  const screen = await show(api);
  await expect.element(screen.getByRole("heading", { name: "A1 Task number 1" })).toHaveFocus();
  await expect.element(screen.getByText("● Seen Connection: It is connected.")).toBeVisible();
  await screen.getByRole("textbox", { name: "Notes related to this task" }).fill("By the door");
  await screen.getByRole("button", { name: "Done and next" }).click();
  await expect.element(screen.getByRole("heading", { name: "A2 Task number 2" })).toHaveFocus();
  await expect.element(screen.getByText("1 of 3 completed")).toBeVisible();
  await expect.poll(() => kept()).toEqual([]);
  expect(patches()).toEqual([
    {
      params: { serial: "10101", id: "101" },
      body: { status: "COMPLETED", notes: "By the door", revision: 0, madeTimestamp: expect.any(Number) },
    },
  ]);
});

test("tasks that are all ticked lead to B9 and its request until the status is Deployed", async () => {
  const { api, read, write, patches } = serverOf();
  let isSeen = false;
  api.answers[getTasks] = () => {
    const { tasks, ...rest } = read();
    const b2 = { ...tasks[0]!, taskTemplateId: 202, groupId: 2, sequenceId: 2 };
    const b9 = { ...tasks[2]!, taskTemplateId: 209, groupId: 2, sequenceId: 9 };
    const evidence = [{ taskTemplateId: 209, kind: "deployed" as const, isSeen, sentence: "Deployed is requested.", timestamp: null }];
    return { ...rest, tasks: [b2, tasks[1], b9], evidence };
  };
  for (const id of [101, 102, 103]) write(id, "COMPLETED", "", "Ann Lee");
  const first = await show(api, "ann", ({ taskTemplateId }) => <p>Act of {taskTemplateId}</p>);
  await expect.element(first.getByRole("heading", { name: "B9 Task number 3" })).toBeVisible();
  await expect.element(first.getByText("Act of 209")).toBeVisible();
  const wiring = [first.getByText("Its wiring"), first.getByRole("button", { name: "Take the verdict again" })];
  for (const each of wiring) expect(each.elements()).toEqual([]);
  await first.getByText("All tasks", { exact: true }).click();
  await first.getByRole("button", { name: /^B2 Task number 1\b.*completed$/ }).click();
  await expect.element(first.getByRole("heading", { name: "B2 Task number 1" })).toBeVisible();
  for (const each of wiring) await expect.element(each).toBeVisible();
  await expect.element(first.getByText(/^Act of/)).not.toBeInTheDocument();
  api.answers[patchTask] = () => ({ ...read().tasks[0], taskTemplateId: 202, revision: 2 });
  await wiring[1]!.click();
  await expect
    .poll(patches)
    .toMatchObject([{ params: { serial: "10101", id: "202" }, body: { status: "COMPLETED", notes: "", revision: 1 } }]);
  await expect.element(first.getByRole("heading", { name: "B2 Task number 1" })).toBeVisible();
  await first.unmount();

  isSeen = true;
  const deployed = await show(api);
  await expect.element(deployed.getByText("All tasks are completed")).toBeVisible();
});

test("notes alone are saved without a tick, and their task stays; another one is chosen, and skipped where it cannot be done", async () => {
  const { api, patches } = serverOf();
  const screen = await show(api);
  const saveNotes = screen.getByRole("button", { name: "Save notes" });
  await expect.element(screen.getByRole("heading", { name: "A1 Task number 1" })).toBeVisible();
  expect(saveNotes.elements()).toEqual([]);
  await screen.getByRole("textbox", { name: "Notes related to this task" }).fill("By the door");
  await saveNotes.click();
  await expect.element(saveNotes).not.toBeInTheDocument();
  await expect.element(screen.getByRole("heading", { name: "A1 Task number 1" })).toBeVisible();
  await expect
    .poll(patches)
    .toMatchObject([{ params: { id: "101" }, body: { status: "NOT_COMPLETED", notes: "By the door", revision: 0 } }]);
  await expect.poll(() => kept()).toEqual([]);

  await screen.getByText("All tasks", { exact: true }).click();
  await screen.getByRole("button", { name: "A2 Task number 2" }).click();
  await expect.element(screen.getByText("Incomplete Prerequisites: A1")).toBeVisible();
  expect(screen.getByRole("button", { name: "Done and next" }).elements()).toEqual([]);
  await screen.getByRole("button", { name: "Skip" }).click();
  await expect.element(screen.getByRole("heading", { name: "A1 Task number 1" })).toBeVisible();
  await expect.element(screen.getByRole("textbox", { name: "Notes related to this task" })).toHaveValue("By the door");
});

test("what is pressed next stays where it is while a tick is sent", async () => {
  const { api, patch } = serverOf();
  let answer = () => undefined as void;
  const sending = new Promise<void>((resolve) => (answer = resolve));
  api.answers[patchTask] = async (input) => {
    await sending;
    return patch(input);
  };
  const screen = await show(api);
  const button = screen.getByRole("button", { name: "Done and next" });
  await button.click();
  await expect.element(screen.getByRole("heading", { name: "A2 Task number 2" })).toBeVisible();
  await expect.element(screen.getByText(/^1 task waits/)).toBeVisible();
  const topOf = () => button.element().getBoundingClientRect().top;
  const top = topOf();
  answer();
  await expect.element(screen.getByText("1 of 3 completed")).toBeVisible();
  await expect.element(screen.getByText(/^1 task waits/)).not.toBeInTheDocument();
  expect(topOf()).toBe(top);
});

test("without network ticks are kept, also over a reload, and sent in their order when it is back", async () => {
  const { api, patch, patches, taskOf } = serverOf();
  api.answers[patchTask] = away;
  const screen = await show(api);
  await screen.getByRole("button", { name: "Done and next" }).click();
  await expect.element(screen.getByRole("heading", { name: "A2 Task number 2" })).toBeVisible();
  await screen.getByRole("button", { name: "Done and next" }).click();
  await expect.element(screen.getByText(/^2 tasks wait to be sent: A1, A2\./)).toBeVisible();
  await screen.unmount();

  const again = await show(api);
  await expect.element(again.getByRole("heading", { name: "A3 Task number 3" })).toBeVisible();
  await expect.element(again.getByText(/^2 tasks wait/)).toBeVisible();
  const before = patches().length;
  api.answers[patchTask] = patch;
  isBack();
  await expect.poll(() => [taskOf(101).status, taskOf(102).status, kept()]).toEqual(["COMPLETED", "COMPLETED", []]);
  const sent = patches().slice(before) as { params: { id: string } }[];
  expect(sent.filter(({ params }) => params.id === "101").length).toBeGreaterThan(0);
  await expect.element(again.getByText(/wait to be sent/)).not.toBeInTheDocument();
});

test("tasks that have their evidence are completed in one press, in their order, and no other", async () => {
  const { api, patches, taskOf, write, read } = serverOf();
  const seen = (taskTemplateId: number): NodeTasks["evidence"][number] => ({
    taskTemplateId,
    kind: "connected",
    isSeen: true,
    sentence: `Task ${taskTemplateId} is seen.`,
    timestamp: null,
  });
  let evidence = [seen(101), seen(102), seen(103), { ...seen(103), kind: "clock" as const, isSeen: false }];
  api.answers[getTasks] = () => ({ ...read(), evidence });
  write(102, "NOT_COMPLETED", "By the door", "Bo Ray");
  const screen = await show(api);
  const group = screen.getByRole("region", { name: "Tasks that have their evidence" });
  // Before anything is sent: what will be completed, and why.
  await expect
    .element(group)
    .toHaveTextContent(
      "A1 Task number 1● Seen Connection: Task 101 is seen. A2 Task number 2● Seen Connection: Task 102 is seen. Complete 2 tasks that have their evidence",
    );
  await group.getByRole("button", { name: "Complete 2 tasks that have their evidence" }).click();
  await expect.element(screen.getByRole("heading", { name: "A3 Task number 3" })).toHaveFocus();
  await expect
    .poll(() => [taskOf(101).status, taskOf(102).status, taskOf(103).status])
    .toEqual(["COMPLETED", "COMPLETED", "NOT_COMPLETED"]);
  await expect.poll(() => kept()).toEqual([]);
  const made = { madeTimestamp: expect.any(Number) };
  expect(patches()).toEqual([
    { params: { serial: "10101", id: "101" }, body: { status: "COMPLETED", notes: "", revision: 0, ...made } },
    { params: { serial: "10101", id: "102" }, body: { status: "COMPLETED", notes: "By the door", revision: 1, ...made } },
  ]);
  await expect.element(group).not.toBeInTheDocument();

  // What needs a task without evidence is not offered either.
  write(101, "NOT_COMPLETED", "", "Bo Ray");
  write(102, "NOT_COMPLETED", "", "Bo Ray");
  evidence = [seen(102), seen(103)];
  await screen.unmount();
  const again = await show(api);
  await expect.element(again.getByRole("heading", { name: "A1 Task number 1" })).toBeVisible();
  expect(again.getByRole("region", { name: "Tasks that have their evidence" }).elements()).toHaveLength(0);
});

test("A-63 of tasks that have their evidence one whose tick was refused waits for a decision", async () => {
  const { api, write, read } = serverOf();
  const evidence = [101, 102, 103].map((taskTemplateId): NodeTasks["evidence"][number] => ({
    taskTemplateId,
    kind: "connected",
    isSeen: true,
    sentence: `Task ${taskTemplateId} is seen.`,
    timestamp: null,
  }));
  api.answers[getTasks] = () => ({ ...read(), evidence });
  const screen = await show(api);
  const completeAll = screen.getByRole("button", { name: /^Complete \d tasks that have their evidence$/ });
  await expect.element(completeAll).toHaveTextContent("Complete 3 tasks that have their evidence");
  write(101, "NOT_COMPLETED", "Seen from outside", "Bo Ray");
  await screen.getByRole("button", { name: "Done and next" }).click();
  await expect.element(screen.getByText("was changed by Bo Ray meanwhile", { exact: false })).toBeVisible();
  await expect.element(completeAll).not.toBeInTheDocument();
});

test("what someone else changed meanwhile is shown beside one's own, and overwritten only on demand", async () => {
  const { api, patch, write, taskOf } = serverOf();
  api.answers[patchTask] = away;
  const screen = await show(api);
  await screen.getByRole("button", { name: "Done and next" }).click();
  await expect.element(screen.getByText(/^1 task waits/)).toBeVisible();
  await screen.getByRole("button", { name: "Done and next" }).click();
  write(101, "NOT_COMPLETED", "Wrong cabinet", "Bo Ray");
  api.answers[patchTask] = patch;
  isBack();
  const conflict = screen.getByRole("region", { name: "Task A1 was not saved" });
  await expect.element(conflict.getByText("Task A1 was not saved: Task A1 was changed by Bo Ray meanwhile")).toBeVisible();
  await expect.element(conflict.getByText(/^not completed, notes “Wrong cabinet” Bo Ray/)).toBeVisible();
  await expect.element(screen.getByText(/A2 needs A1 first\.$/)).toBeVisible();
  await expect.element(screen.getByText("0 of 3 completed")).toBeVisible();
  expect([taskOf(101).notes, taskOf(102).status, kept().length]).toEqual(["Wrong cabinet", "NOT_COMPLETED", 2]);
  await conflict.getByRole("button", { name: "Save mine" }).click();
  await expect.poll(() => [taskOf(101).status, taskOf(102).status, kept()]).toEqual(["COMPLETED", "COMPLETED", []]);
});

test("A-63 notes that someone else saved are there at once where nothing was entered, and are no edit", async () => {
  const { api, write } = serverOf();
  const queries = new QueryClient();
  const screen = await show(api, "ann", () => null, queries);
  const notes = screen.getByRole("textbox", { name: "Notes related to this task" });
  await expect.element(notes).toHaveValue("");
  write(101, "NOT_COMPLETED", "The door is locked", "Bo Ray");
  await queries.invalidateQueries();
  await expect.element(notes).toHaveValue("The door is locked");
  await expect.element(screen.getByRole("button", { name: "Save notes" })).not.toBeInTheDocument();
});

test("what needs a task that was dropped goes by itself once that task is done again", async () => {
  const { api, patch, write, taskOf } = serverOf();
  api.answers[patchTask] = away;
  const screen = await show(api);
  await screen.getByRole("button", { name: "Done and next" }).click();
  await expect.element(screen.getByText(/^1 task waits/)).toBeVisible();
  await screen.getByRole("textbox", { name: "Notes related to this task" }).fill("Torqued");
  await screen.getByRole("button", { name: "Done and next" }).click();
  write(101, "NOT_COMPLETED", "Wrong cabinet", "Bo Ray");
  api.answers[patchTask] = patch;
  isBack();
  await screen.getByRole("region", { name: "Task A1 was not saved" }).getByRole("button", { name: "Drop mine" }).click();
  await expect.element(screen.getByText(/^1 task waits to be sent: A2\..*A2 needs A1 first\.$/)).toBeVisible();
  await screen.getByText("All tasks", { exact: true }).click();
  await screen.getByRole("button", { name: "A1 Task number 1" }).click();
  await screen.getByRole("button", { name: "Done and next" }).click();
  await expect
    .poll(() => [taskOf(101).status, taskOf(102), kept()])
    .toMatchObject(["COMPLETED", { status: "COMPLETED", notes: "Torqued" }, []]);
});

test("one's own is dropped on demand, and by itself where the server has the same from an answer that was lost", async () => {
  const { api, patch, write, taskOf } = serverOf();
  const screen = await show(api);
  api.answers[patchTask] = (input) => {
    patch(input);
    return away();
  };
  await screen.getByRole("button", { name: "Done and next" }).click();
  await expect.poll(() => [taskOf(101).status, kept().length]).toEqual(["COMPLETED", 1]);
  api.answers[patchTask] = patch;
  isBack();
  await expect.poll(() => kept()).toEqual([]);
  expect(screen.getByRole("region", { name: /was not saved/ }).elements()).toHaveLength(0);

  await expect.element(screen.getByRole("heading", { name: "A2 Task number 2" })).toBeVisible();
  write(102, "NOT_COMPLETED", "Not yet", "Bo Ray");
  await screen.getByRole("button", { name: "Done and next" }).click();
  await screen.getByRole("region", { name: "Task A2 was not saved" }).getByRole("button", { name: "Drop mine" }).click();
  await expect.poll(() => kept()).toEqual([]);
  expect(taskOf(102)).toMatchObject({ status: "NOT_COMPLETED", notes: "Not yet" });
});

test("a session that ended keeps what waits, for the same person only", async () => {
  const { api, patch, taskOf } = serverOf();
  api.answers[patchTask] = () => {
    throw new ApiError(401, "UNAUTHORIZED", "Your session has ended. Please sign in again");
  };
  const screen = await show(api);
  await screen.getByRole("button", { name: "Done and next" }).click();
  await expect.element(screen.getByText(/^1 task waits/)).toBeVisible();
  await screen.unmount();
  api.answers[patchTask] = patch;
  const other = await show(api, "bo");
  await expect.element(other.getByRole("heading", { name: "A1 Task number 1" })).toBeVisible();
  expect([kept("bo"), kept().length, taskOf(101).status]).toEqual([[], 1, "NOT_COMPLETED"]);
  await other.unmount();
  const back = await show(api);
  await expect.poll(() => [taskOf(101).status, kept()]).toEqual(["COMPLETED", []]);
  await expect.element(back.getByText("1 of 3 completed")).toBeVisible();
});
