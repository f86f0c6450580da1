import { MantineProvider } from "@mantine/core";
import type { NodeTask, NodeTasks } from "@busbar/contract/directory/node-tasks.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { theme } from "#ui/theme.ts";
import { NodeTasksScreen } from "./node-tasks.tsx";
import { TaskDialog } from "./task-dialog.tsx";
import { SubTasks } from "./task-steps.tsx";

const task: NodeTask = {
  serialNumber: "10101",
  taskTemplateId: 101,
  sequenceId: 1,
  groupId: 1,
  name: "Create records",
  description: ["Look first", { text: "Read", externalLink: { url: "javascript:alert(1)", text: "the guide" } }],
  subTasks: {},
  externalLink: { url: "https://user:secret@evil.example/", text: "More" },
  notes: "",
  editable: true,
  incompletePrerequisitesList: [],
  status: "NOT_COMPLETED",
  lastUpdatedUserId: null,
  lastUpdatedTimestamp: -1,
  lastUpdatedUsername: "",
  lastUpdatedFullname: "",
  revision: 0,
};
const node = (tasks: NodeTask[]): NodeTasks => ({
  tasks,
  photos: [],
  evidence: [],
  wiring: null,
  deploymentTaskType: "RMA",
  location: null,
});

const getTasks = "GET /nodes/{serial}/tasks";
const patchTask = "PATCH /nodes/{serial}/tasks/tasktemplate/{id}";

function around(api: ReturnType<typeof fakeApi>, children: React.ReactNode) {
  return (
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>{children}</ApiContext>
      </QueryClientProvider>
    </MantineProvider>
  );
}

function showDialog(api: ReturnType<typeof fakeApi>, shown = task, about: Partial<NodeTasks> = {}) {
  const on = {
    onClose: vi.fn<() => void>(),
    onOpenNodeConfig: vi.fn<() => void>(),
    onOpenCredentials: vi.fn<() => void>(),
    onOpenNode: vi.fn<() => void>(),
    onOpenLocation: vi.fn<(id: number) => void>(),
  };
  return { ...on, screen: render(around(api, <TaskDialog task={shown} node={{ ...node([shown]), ...about }} {...on} />)) };
}

test("TSK-01 while the tasks come the screen says for which node, and a failure offers another try", async () => {
  let answer = Promise.withResolvers<NodeTasks>();
  const api = fakeApi({ [getTasks]: () => answer.promise });
  const screen = await render(around(api, <NodeTasksScreen serial="10101" onOpen={() => undefined} />));
  await expect.element(screen.getByText("Loading tasks for 10101. Wait...").first()).toBeVisible();
  answer.reject(new ApiError(503, "UNAVAILABLE", "The database does not answer"));
  await expect.element(screen.getByRole("alert").getByText(/The database does not answer/)).toBeVisible();
  answer = Promise.withResolvers<NodeTasks>();
  await screen.getByRole("button", { name: "Try again" }).click();
  answer.resolve(node([task]));
  await expect.element(screen.getByText("Create records")).toBeVisible();
  expect(screen.container.textContent).not.toContain("Loading tasks");
});

test("TSK-08 Save stays enabled: too long notes are refused in the field, one save is one request, a failure is shown", async () => {
  const answer = Promise.withResolvers<NodeTask>();
  const api = fakeApi({ [patchTask]: () => answer.promise });
  const { onClose, screen: shown } = showDialog(api);
  const screen = await shown;
  const save = screen.getByRole("button", { name: "Save" });
  const notes = screen.getByLabelText("Notes related to this task");
  await notes.fill("x".repeat(10_001));
  await save.click();
  await expect.element(screen.getByText("At most 10000 characters")).toBeVisible();
  await expect.element(save).toBeEnabled();
  await notes.fill("x");
  await save.click();
  await expect.element(screen.getByText("Sending request to server...")).toBeVisible();
  await expect.element(save).toBeEnabled();
  await save.click();
  answer.reject(new ApiError(409, "CONFLICT", "Task A2 depends on this task"));
  await expect.element(screen.getByRole("alert").getByText(/Task A2 depends on this task/)).toBeVisible();
  const patches = api.asked.filter(({ endpoint }) => endpoint === patchTask);
  expect(patches.map(({ input }) => input)).toEqual([
    { params: { serial: "10101", id: "101" }, body: { status: "NOT_COMPLETED", notes: "x", revision: 0 } },
  ]);
  expect(onClose).not.toHaveBeenCalled();
});

test("TSK-04 an address that is not plain https becomes no link", async () => {
  const screen = await showDialog(fakeApi({})).screen;
  await expect.element(screen.getByText(/the guide/)).toBeVisible();
  expect(document.querySelectorAll("[role=dialog] a")).toHaveLength(0);
});

test("TSK-03 the location's shortcut is there only for a node at a location", async () => {
  const { screen: shown, onOpenNodeConfig, onOpenNode } = showDialog(fakeApi({}));
  const screen = await shown;
  await screen.getByRole("button", { name: "Node Config" }).click();
  await screen.getByRole("button", { name: "Node Details" }).click();
  expect([onOpenNodeConfig.mock.calls.length, onOpenNode.mock.calls.length]).toEqual([1, 1]);
  expect(screen.getByRole("button", { name: "Edit Location" }).elements()).toHaveLength(0);
});

test("task A8 leads to the node's credentials, other tasks do not", async () => {
  const { screen: shown, onOpenCredentials } = showDialog(fakeApi({}), { ...task, taskTemplateId: 108, sequenceId: 8 });
  const screen = await shown;
  await screen.getByRole("button", { name: "Credentials" }).click();
  expect(onOpenCredentials).toHaveBeenCalledOnce();
  await screen.unmount();
  const other = await showDialog(fakeApi({})).screen;
  expect(other.getByRole("button", { name: "Credentials" }).elements()).toHaveLength(0);
});

test("TSK-08 a change by someone else is reported while the dialog is open", async () => {
  const api = fakeApi({});
  const none = () => undefined;
  const on = { onClose: none, onOpenNodeConfig: none, onOpenCredentials: none, onOpenNode: none, onOpenLocation: none };
  const screen = await render(around(api, <TaskDialog task={task} node={node([task])} {...on} />));
  const changed = { ...task, revision: 1, notes: "theirs", lastUpdatedFullname: "Amara Lindqvist" };
  await screen.getByLabelText("Notes related to this task").fill("mine");
  await screen.rerender(around(api, <TaskDialog task={changed} node={node([changed])} {...on} />));
  await expect.element(screen.getByRole("alert").getByText(/^Amara Lindqvist changed notes of this task /)).toBeVisible();
  await expect.element(screen.getByLabelText("Notes related to this task")).toHaveValue("mine");
});

test("A-28 a person without a name is called by the username, wherever who updated a task is shown", async () => {
  const done: NodeTask = {
    ...task,
    status: "COMPLETED",
    lastUpdatedUserId: 7,
    lastUpdatedTimestamp: 1_790_000_000,
    lastUpdatedUsername: "newcomer",
  };
  const dialog = await showDialog(fakeApi({}), done).screen;
  await expect.element(dialog.getByText(/Task last updated by newcomer at 2026-/)).toBeVisible();
  await dialog.unmount();
  const list = await render(
    around(fakeApi({ [getTasks]: () => node([done]) }), <NodeTasksScreen serial="10101" onOpen={() => undefined} />),
  );
  await expect.element(list.getByText(/^newcomer/)).toBeVisible();
  await list.unmount();
  const named = await showDialog(fakeApi({}), { ...done, lastUpdatedFullname: "Robin Vale" }).screen;
  await expect.element(named.getByText(/Task last updated by newcomer \(Robin Vale\) at 2026-/)).toBeVisible();
});

test("B2 shows what the values say of the wiring, no other task does", async () => {
  const none = () => undefined;
  const on = { onClose: none, onOpenNodeConfig: none, onOpenCredentials: none, onOpenNode: none, onOpenLocation: none };
  const show = (shown: NodeTask) =>
    render(around(fakeApi({}), <TaskDialog task={shown} node={node([shown])} {...on} renderWiring={() => <p>The wiring is right.</p>} />));
  const other = await show(task);
  await expect.element(other.getByText("Create records")).toBeVisible();
  expect(other.getByText("The wiring is right.").elements()).toHaveLength(0);
  await other.unmount();
  const verify = await show({ ...task, taskTemplateId: 202, groupId: 2, sequenceId: 2 });
  await expect.element(verify.getByText("The wiring is right.")).toBeVisible();
});

test("a task shows what the platform sees by itself of what it asks for, and of no other task", async () => {
  const evidence: NodeTasks["evidence"] = [
    { taskTemplateId: 203, kind: "metering", isSeen: true, sentence: "Its values arrive.", timestamp: 1_790_000_000 },
    { taskTemplateId: 203, kind: "clock", isSeen: false, sentence: "Its clock is about 2 h ahead.", timestamp: null },
    { taskTemplateId: 204, kind: "files", isSeen: true, sentence: "Files arrive.", timestamp: null },
  ];
  const { screen: shown } = showDialog(fakeApi({}), { ...task, taskTemplateId: 203, groupId: 2, sequenceId: 3 }, { evidence });
  const list = (await shown).getByRole("list", { name: "Evidence" });
  await expect.element(list.getByText(/^● Seen Values: Its values arrive\. .* ago$/)).toBeVisible();
  await expect.element(list.getByText("◆ Not seen Clock: Its clock is about 2 h ahead.")).toBeVisible();
  expect(list.getByRole("listitem").elements()).toHaveLength(2);
});

test("TSK-04 the steps of the node's own kind are between those of every deployment, each under its name", async () => {
  const subTasks = {
    common_post: ["Close it"],
    "deploymentTaskType_NL-NF": ["Not these"],
    deploymentTaskType_RMA: ["Swap it"],
    common_pre: ["Open it"],
  };
  const screen = await render(<SubTasks subTasks={subTasks} deploymentTaskType="RMA" />);
  const said = screen
    .getByRole("region")
    .elements()
    .map((part) => [part.getAttribute("aria-label"), part.querySelector("li")?.textContent]);
  expect(said).toEqual([
    ["For every deployment", "Open it"],
    ["For RMA: existing location, replacement node", "Swap it"],
    ["Afterwards", "Close it"],
  ]);
});
