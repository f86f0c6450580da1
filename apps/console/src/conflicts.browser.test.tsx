import { api } from "@busbar/contract/api.ts";
import type { LocationNote } from "@busbar/contract/directory/location-notes.ts";
import type { NodeTask } from "@busbar/contract/directory/node-tasks.ts";
import { newNodeDefaults } from "@busbar/contract/directory/node-fields.ts";
import type { Node } from "@busbar/contract/directory/nodes.ts";
import type { Endpoint } from "@busbar/contract/endpoint.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import type * as z from "zod/v4/core";
import { ApiContext } from "#api/api-context.ts";
import { UserDialog } from "#features/access/users/user-dialog.tsx";
import { sampleUser } from "#features/access/users/users.fixture.ts";
import { CustomerDialog } from "#features/directory/customers/customer-dialog.tsx";
import { customerOf, facilityOf, locationOf } from "#features/directory/customers/customers.fixture.ts";
import { FacilityDialog } from "#features/directory/customers/facility-dialog.tsx";
import { ManagersDialog } from "#features/directory/customers/managers-dialog.tsx";
import { LocationNotesDialog } from "#features/directory/location-notes/location-notes-dialog.tsx";
import { EditLocationDialog } from "#features/directory/locations/edit-location-dialog.tsx";
import { useNodeTasks } from "#features/directory/node-tasks/node-tasks.queries.ts";
import { TaskDialog } from "#features/directory/node-tasks/task-dialog.tsx";
import { AddNodeDialog, NodeDialog } from "#features/directory/nodes/node-dialog.tsx";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "./testing/fake-api.ts";

type Answers = Parameters<typeof fakeApi>[0];
interface Form {
  form: ReactNode;
  /** What the console asks for: what the form begins with, and the same after the other one saved. */
  answers: (isTheirs: boolean) => Answers;
  open?: () => Promise<void>;
  /** The field that both change, and as the sentence calls it; another that only this person does. */
  contested: string;
  says: string;
  own: string;
  save?: string;
}

const close = () => undefined;
const revised = <Item extends { revision: number }>(item: Item, isTheirs: boolean, change: Partial<Item>): Item =>
  isTheirs ? { ...item, ...change, revision: item.revision + 1 } : item;

const place = { customerId: 1, customerCode: "alder", customerName: "Alder", facilityId: 2, facilityName: "Works" };
const location = { ...locationOf(3, "Pump"), ...place, noteCount: 1, nodeHistory: [] };
const note: LocationNote = {
  id: 4,
  timestamp: 1_780_000_000,
  note: "Belt",
  details: "",
  showInVoltagePlot: true,
  showInCurrentPlot: true,
  showInAccumulatedAmpHoursPlot: true,
  authorUserId: 1,
  updatedTimestamp: 1_780_000_000,
  firstName: "Kim",
  lastName: "Vale",
  isArchived: false,
  revision: 1,
};
const task: NodeTask = {
  serialNumber: "10101",
  taskTemplateId: 101,
  sequenceId: 1,
  groupId: 1,
  name: "Create records",
  description: [],
  subTasks: {},
  externalLink: null,
  notes: "",
  editable: true,
  incompletePrerequisitesList: [],
  status: "NOT_COMPLETED",
  lastUpdatedUserId: 1,
  lastUpdatedTimestamp: 1_780_000_000,
  lastUpdatedUsername: "kim",
  lastUpdatedFullname: "Kim Vale",
  revision: 0,
};
const node = {
  ...newNodeDefaults,
  id: 5,
  serialNumber: "10101",
  container: "Crate",
  currentDeploymentStatus: "Unassigned",
  currentDeploymentStatusUpdateTimestamp: 1_780_000_000,
  newDeploymentStatusUpdateTimestamp: null,
  timezone: null,
  revision: 1,
} as unknown as Node;
const customer = customerOf(1, "alder", "Alder");
const facility = facilityOf(2, "Works");

/** By the call that saves it. */
const forms: Record<string, Form> = {
  updateCustomer: {
    form: <CustomerDialog customer={customer} onClose={close} />,
    answers: (isTheirs) => ({ "GET /customers": () => [revised(customer, isTheirs, { name: "theirs" })] }),
    contested: "Name",
    says: "Someone changed name of this customer since you opened it.",
    own: "Email Domains",
  },
  updateFacility: {
    form: <FacilityDialog customer={customer} facility={facility} onClose={close} />,
    answers: (isTheirs) => ({
      "GET /customers": () => [{ ...customer, facilities: [revised(facility, isTheirs, { siteName: "theirs" })] }],
    }),
    contested: "Site Name",
    says: "Someone changed site name of this facility since you opened it.",
    own: "Customer Cross Reference",
  },
  updateLocation: {
    form: <EditLocationDialog locationId={3} onClose={close} renderNode={() => null} />,
    answers: (isTheirs) => ({
      "GET /locations/{id}": () => revised(location, isTheirs, { assetLocationNumber: "theirs" }),
      "GET /locations/availablenodes": () => [],
      "GET /system/config/{name}": () => [],
    }),
    contested: "Asset Location Number",
    says: "Someone changed asset location number of this location since you opened it.",
    own: "Channels",
  },
  updateLocationNote: {
    form: <LocationNotesDialog locationId={3} onClose={close} />,
    answers: (isTheirs) => ({
      "GET /locations/{id}": () => location,
      "GET /locations/{id}/notes": () => [revised(note, isTheirs, { note: "theirs" })],
    }),
    open: () => page.getByRole("button", { name: "Edit note" }).click(),
    contested: "Note",
    says: "Kim Vale changed note of this note",
    own: "Details",
    save: "Update",
  },
  updateNode: {
    form: <NodeDialog serial="10101" onClose={close} onCredentials={close} onPlace={close} />,
    answers: (isTheirs) => ({
      "GET /nodes/{serial}/details": () => revised(node, isTheirs, { deploymentIssueDetails: "theirs" }),
      "GET /node-containers": () => ["Crate"],
    }),
    contested: "Deployment Issue Details",
    says: "Someone changed deployment issue details of this node since you opened it.",
    own: "New Container",
  },
  patchNodeTask: {
    form: <TaskOfNode />,
    answers: (isTheirs) => ({
      "GET /nodes/{serial}/tasks": () => ({
        tasks: [revised(task, isTheirs, { notes: "theirs" })],
        photos: [],
        evidence: [],
        wiring: null,
        deploymentTaskType: "RMA",
        location: null,
      }),
    }),
    contested: "Notes related to this task",
    says: "Kim Vale changed notes of this task",
    own: "Check this circle if task is completed",
  },
  updateUser: {
    form: <UserDialog user={sampleUser(1)} renderMore={() => null} onClose={close} />,
    answers: (isTheirs) => ({
      "GET /users": () => [revised(sampleUser(1), isTheirs, { lastName: "theirs" })],
      "GET /customers/names": () => [{ id: 1, code: "alder", name: "Alder" }],
    }),
    contested: "Last Name",
    says: "Someone changed last name of this user since you opened it.",
    own: "First Name",
  },
};

function TaskOfNode() {
  const { data } = useNodeTasks("10101");
  const [shown] = data?.tasks ?? [];
  const none = { onClose: close, onOpenNodeConfig: close, onOpenCredentials: close, onOpenNode: close, onOpenLocation: close };
  return data && shown && <TaskDialog task={shown} node={data} {...none} />;
}

/** The form before a server where someone else saves whenever the test says so. */
async function show(name: string, { form, answers, open }: Pick<Form, "form" | "answers" | "open">) {
  const { method, path } = api[name as keyof typeof api];
  const saving = `${method} ${path}`;
  const fake = fakeApi({ ...answers(false) });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <ApiContext value={fake.call}>{form}</ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await open?.();
  const theySave = () => Object.assign(fake.answers, answers(true));
  fake.answers[saving] = () => {
    theySave();
    throw new ApiError(409, "CONFLICT", refusal);
  };
  const saved = () => fake.asked.filter(({ endpoint }) => endpoint === saving).map(({ input }) => input);
  return { queries, theySave, saved };
}

const refusal = "kim changed it meanwhile. Load it again and repeat your change";
const load = page.getByRole("button", { name: "Load the present values" });
const discard = page.getByRole("button", { name: "Discard changes" });
const fieldOf = (label: string) => page.getByRole("dialog").getByRole("textbox", { name: label, exact: true });

test("COM-04 every form whose item others may save too is tried here", () => {
  const revisioned = Object.entries<Endpoint>(api).filter(([, { body, query }]) =>
    [body, query].some((schema) => schema && "revision" in ((schema as z.$ZodObject)._zod.def.shape ?? {})),
  );
  // Managers and who looks after an incident are chosen, not typed, and a view holds what its list shows; settings load by themselves
  // what others saved, and keep what was typed. Who requests Deployed sees no field that others save too.
  const others = ["requestDeployed", "setFacilityManagers", "updateIncident", "updateSystemConfig", "updateView"];
  expect([...Object.keys(forms), ...others].toSorted()).toEqual(revisioned.map(([name]) => name).toSorted());
});

describe.each(Object.entries(forms))("%s", (name, form) => {
  const save = () =>
    page
      .getByRole("dialog")
      .getByRole("button", { name: form.save ?? "Save", exact: true })
      .click();
  const isBox = form.own.startsWith("Check");
  const own = () => (isBox ? page.getByRole("checkbox", { name: form.own }) : fieldOf(form.own));
  const enterOwn = () => (isBox ? own().click() : own().fill(name === "updateUser" ? "Mina" : "mine.example"));
  const ownValue = () => {
    const field = own().element() as HTMLInputElement;
    return field.type === "checkbox" ? field.checked : field.value;
  };

  test("a refusal by what someone else saved has a button that loads it, and what only this person changed stays", async () => {
    const { saved } = await show(name, form);
    await fieldOf(form.contested).fill("mine");
    await enterOwn();
    const typed = ownValue();
    await save();
    await expect.element(page.getByRole("alert").getByText(refusal)).toBeVisible();
    await load.click();
    await discard.click();
    await expect.element(fieldOf(form.contested)).toHaveValue("theirs");
    await expect.element(load).not.toBeInTheDocument();
    await expect.element(page.getByText(refusal)).not.toBeInTheDocument();
    expect(ownValue()).toBe(typed);
    await save();
    await expect.poll(() => saved().length).toBe(2);
    const [first, second] = saved().map(({ body }) => (body as { revision: number }).revision);
    expect(second).toBe((first ?? 0) + 1);
  });

  test("what someone else saved is said while the form is open; nothing is lost by loading it", async () => {
    const { theySave, queries } = await show(name, form);
    await enterOwn();
    const typed = ownValue();
    theySave();
    await queries.invalidateQueries();
    await expect.element(page.getByRole("alert").getByText(new RegExp(form.says))).toBeVisible();
    await load.click();
    await expect.element(fieldOf(form.contested)).toHaveValue("theirs");
    expect(ownValue()).toBe(typed);
    await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  });
});

interface Addition {
  form: ReactNode;
  /** What is saved from then on. */
  editing: keyof typeof forms;
  made: unknown;
  /** As much as has to be entered. */
  entries: Record<string, string>;
}

/** Forms that go on with what they added, by the call that adds it. */
const additions: Record<string, Addition> = {
  createCustomer: {
    form: <CustomerDialog onClose={close} />,
    editing: "updateCustomer",
    made: customer,
    entries: { Code: "alder", Name: "Alder" },
  },
  createFacility: {
    form: <FacilityDialog customer={customer} onClose={close} />,
    editing: "updateFacility",
    made: facility,
    entries: { Name: "Works", "Site Name": "Works" },
  },
  createNode: {
    form: <AddNodeDialog onClose={close} onCredentials={close} onTasks={close} />,
    editing: "updateNode",
    made: node,
    entries: { "Serial Number": "10101", "New Container": "Crate" },
  },
  createUser: {
    form: <UserDialog renderMore={() => null} onClose={close} />,
    editing: "updateUser",
    made: sampleUser(1),
    entries: {
      Username: "user1",
      "First Name": "One",
      "Last Name": "User",
      Email: "user1@alder.example",
      Password: "Granite-Willow88",
      "Confirm Password": "Granite-Willow88",
    },
  },
};

test.each(Object.entries(additions))("what %s added is watched from then on", async (name, { form, editing, made, entries }) => {
  const { answers, contested, says } = forms[editing]!;
  const { method, path } = api[name as keyof typeof api];
  const { theySave, queries } = await show(editing, {
    form,
    answers: (isTheirs) => ({ ...answers(isTheirs), "GET /free-places": () => [], [`${method} ${path}`]: () => made }),
  });
  const dialog = page.getByRole("dialog");
  for (const [label, text] of Object.entries(entries)) await dialog.getByLabelText(new RegExp(`^${label}`)).fill(text);
  if (name === "createUser") {
    await dialog.getByRole("combobox", { name: "Customer" }).click();
    await page.getByRole("option", { name: /alder/ }).click();
  }
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect.element(page.getByRole("dialog", { name: /^Edit / })).toBeVisible();
  theySave();
  await queries.invalidateQueries();
  await expect.element(page.getByRole("alert").getByText(says)).toBeVisible();
  await load.click();
  await expect.element(fieldOf(contested)).toHaveValue("theirs");
});

test("managers that someone else changed are loaded by the same button", async () => {
  const answers = (isTheirs: boolean) => ({
    "GET /customers": () => [{ ...customer, facilities: [revised(facility, isTheirs, { managers: [2] })] }],
    "GET /users": () => [sampleUser(1), sampleUser(2)],
  });
  await show("setFacilityManagers", { form: <ManagersDialog customer={customer} facility={facility} onClose={close} />, answers });
  const manager = (id: number) => page.getByRole("checkbox", { name: new RegExp(`user${id}`) });
  await manager(1).click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect.element(page.getByRole("alert").getByText(refusal)).toBeVisible();
  await load.click();
  await discard.click();
  await expect.element(manager(2)).toBeChecked();
  await expect.element(manager(1)).not.toBeChecked();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});
