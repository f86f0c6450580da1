import type { LocationNote } from "@busbar/contract/directory/location-notes.ts";
import type { NodeTask, NodeTasks } from "@busbar/contract/directory/node-tasks.ts";
import type { Change } from "@busbar/contract/system/changes.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../testing/fake-api.ts";
import { PutBackDialog } from "./put-back-dialog.tsx";

const putBackText = "What was there before is entered. Save puts it back.";
const changeOf = (of: Pick<Change, "action" | "object" | "within" | "before">): Change => ({
  id: 1,
  timestamp: 1_790_000_000,
  actorType: "User",
  actor: "kim",
  description: "",
  after: null,
  ...of,
});

async function show(change: Change, answers: Parameters<typeof fakeApi>[0]) {
  const api = fakeApi(answers);
  const onClose = vi.fn<() => void>();
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <PutBackDialog change={change} onClose={onClose} renderLinked={() => null} onOpen={() => undefined} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const sent = (endpoint: string) => api.asked.filter((each) => each.endpoint === endpoint).map(({ input }) => input["body"]);
  return { screen, onClose, sent };
}

test("a setting is put back among those that the change was about, and no other one is touched", async () => {
  const setting = (value: string) => ({ value, type: "text", description: "A setting", isSecret: false, isDefault: false, revision: 3 });
  const change = changeOf({ action: "PATCH_SYSTEM_CONFIG", object: "", within: null, before: { Pump: "slow" } });
  const { screen, sent } = await show(change, {
    "GET /system/config": () => ({ Pump: setting("fast"), Fan: setting("on") }),
    "PATCH /system/config": () => ({ changed: ["Pump"] }),
  });
  await expect.element(screen.getByRole("textbox", { name: "Pump" })).toHaveValue("slow");
  await expect.element(screen.getByText(putBackText)).toBeVisible();
  await expect.element(screen.getByRole("textbox", { name: "Fan" })).not.toBeInTheDocument();
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.element(screen.getByText(/^Changes saved successfully/)).toBeVisible();
  expect(sent("PATCH /system/config")).toEqual([{ Pump: "slow", Fan: "on" }]);
});

test("a task of a node is put back with its old status and notes", async () => {
  const task: NodeTask = {
    serialNumber: "10101",
    taskTemplateId: 101,
    sequenceId: 1,
    groupId: 1,
    name: "Create records",
    description: [],
    subTasks: {},
    externalLink: null,
    notes: "done",
    editable: true,
    incompletePrerequisitesList: [],
    status: "COMPLETED",
    lastUpdatedUserId: null,
    lastUpdatedTimestamp: -1,
    lastUpdatedUsername: "",
    lastUpdatedFullname: "",
    revision: 4,
  };
  const tasks: NodeTasks = { tasks: [task], photos: [], evidence: [], wiring: null, deploymentTaskType: "RMA", location: null };
  const patchTask = "PATCH /nodes/{serial}/tasks/tasktemplate/{id}";
  const before = { status: "NOT_COMPLETED", notes: "waits for the key" };
  const { screen, onClose, sent } = await show(changeOf({ action: "PATCH_TASK", object: "node/10101", within: "task/101", before }), {
    "GET /nodes/{serial}/tasks": () => tasks,
    [patchTask]: () => task,
  });
  await expect.element(screen.getByLabelText("Notes related to this task")).toHaveValue("waits for the key");
  await expect.element(screen.getByRole("checkbox")).not.toBeChecked();
  await expect.element(screen.getByText(putBackText)).toBeVisible();
  await screen.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(sent(patchTask)).toEqual([{ ...before, revision: 4 }]);
});

test("a note is put back, also one that was archived since; one that is gone is said to be", async () => {
  let isArchived = true;
  const noteOf = (): LocationNote => ({
    id: 5,
    timestamp: 1_790_000_000,
    note: "Belt replaced",
    details: "",
    showInVoltagePlot: true,
    showInCurrentPlot: true,
    showInAccumulatedAmpHoursPlot: true,
    authorUserId: 1,
    updatedTimestamp: 1_790_000_000,
    firstName: "Ines",
    lastName: "Tester",
    isArchived,
    revision: 2,
  });
  const patchNote = "PATCH /locations/{id}/notes/{noteId}";
  const answers = {
    "GET /locations/{id}": () => ({ id: 7, name: "Feed Pump", timezone: "America/Chicago" }),
    "GET /locations/{id}/notes": () => [noteOf()],
    "DELETE /locations/{id}/notes/{noteId}/archive": () => {
      isArchived = false;
      return noteOf();
    },
    [patchNote]: noteOf,
  };
  const change = changeOf({
    action: "PATCH_NOTE",
    object: "note/5",
    within: "location/7",
    before: { note: "Belt", timestamp: 1_790_000_060 },
  });
  const { screen, onClose, sent } = await show(change, answers);
  await screen.getByRole("button", { name: "Unarchive note" }).click();
  await expect.element(screen.getByRole("textbox", { name: "Note" })).toHaveValue("Belt");
  await screen.getByRole("button", { name: "Update" }).click();
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(sent(patchNote)).toEqual([expect.objectContaining({ note: "Belt", timestamp: 1_790_000_060, details: "", revision: 2 })]);
  await screen.unmount();

  const gone = await show({ ...change, object: "note/6" }, answers);
  await expect.element(gone.screen.getByText("This note was deleted since.")).toBeVisible();
});
