import { MantineProvider } from "@mantine/core";
import type { NodeTask, NodeTasks, TaskPhoto } from "@busbar/contract/directory/node-tasks.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { userEvent } from "vitest/browser";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { unsavedEdits } from "#lib/unsaved-edits.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { DeploymentSteps } from "./deployment-steps.tsx";

const getTasks = "GET /nodes/{serial}/tasks";
const photosPath = "/nodes/{serial}/tasks/tasktemplate/{id}/photos";
const addPhoto = `POST ${photosPath}`;
const getPhoto = `GET ${photosPath}/{photoId}`;
const deletePhoto = `DELETE ${photosPath}/{photoId}`;
const away = () => {
  throw new ApiError(0, "NETWORK", "Unable to connect to server. Please try again later.");
};

interface Draw {
  width?: number;
  height?: number;
  type?: string;
}

async function picture({ width = 40, height = 20, type = "image/jpeg" }: Draw = {}): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d")!;
  // Left half red, the rest transparent.
  context.fillStyle = "red";
  context.fillRect(0, 0, width / 2, height);
  return await canvas.convertToBlob({ type });
}
const file = async (draw?: Draw, name = "terminal.jpg") => new File([await picture(draw)], name, { type: draw?.type ?? "image/jpeg" });

/** The same picture as a phone writes it that was held upright: to be turned by a quarter to the right. */
async function turned(): Promise<File> {
  const bytes = new Uint8Array(await (await picture()).arrayBuffer());
  const entry = [0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0];
  const exif = [...new TextEncoder().encode("Exif\0\0II*\0"), 8, 0, 0, 0, 1, 0, ...entry, 0, 0, 0, 0];
  const app1 = new Uint8Array([0xff, 0xe1, 0, exif.length + 2, ...exif]);
  return new File([bytes.subarray(0, 2), app1, bytes.subarray(2)], "turned.jpg", { type: "image/jpeg" });
}

/** A server with two tasks that keeps the photos it is sent. */
function serverOf(photos: TaskPhoto[] = []) {
  const taskOf = (id: number): NodeTask => ({
    serialNumber: "10101",
    taskTemplateId: id,
    sequenceId: id % 100,
    groupId: 2,
    name: `Task number ${id % 100}`,
    description: [],
    subTasks: {},
    externalLink: null,
    notes: "",
    editable: true,
    incompletePrerequisitesList: [],
    status: "NOT_COMPLETED",
    lastUpdatedUserId: null,
    lastUpdatedTimestamp: -1,
    lastUpdatedUsername: "",
    lastUpdatedFullname: "",
    revision: 0,
  });
  const kept: { photo: TaskPhoto; bytes: Blob }[] = [];
  const read = (): NodeTasks => ({
    tasks: [taskOf(201), taskOf(202)],
    photos: [...photos, ...kept.map(({ photo }) => photo)],
    evidence: [],
    wiring: null,
    deploymentTaskType: "RMA",
    location: null,
  });
  const add = (input: Record<string, unknown>) => {
    const { params, body } = input as { params: { id: string }; body: Uint8Array<ArrayBuffer> };
    const photo = photoOf(kept.length + 50, Number(params.id), "Ann Lee");
    kept.push({ photo, bytes: new Blob([body], { type: "image/jpeg" }) });
    return photo;
  };
  const remove = (input: Record<string, unknown>) => {
    const id = Number((input as { params: { photoId: string } }).params.photoId);
    photos = photos.filter((photo) => photo.id !== id);
    return { id };
  };
  const api = fakeApi({ [getTasks]: read, [addPhoto]: add, [deletePhoto]: remove, [getPhoto]: () => picture() });
  const asked = (endpoint: string) => api.asked.filter((each) => each.endpoint === endpoint);
  return { api, kept, add, asked };
}
const photoOf = (id: number, taskTemplateId = 201, addedBy = "Bo Ray"): TaskPhoto => ({
  id,
  taskTemplateId,
  addedTimestamp: 1_790_000_000,
  addedBy,
  size: 1_000,
});

const show = (api: ReturnType<typeof fakeApi>) =>
  render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <DeploymentSteps serial="10101" username="ann" renderVerbs={() => null} renderAct={() => null} renderWiring={() => null} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
type Screen = Awaited<ReturnType<typeof show>>;
const photosOf = (screen: Screen, label: string) => screen.getByRole("region", { name: `Photos of task ${label}` });
async function choose(screen: Screen, chosen: File, label = "B1"): Promise<void> {
  await expect.element(photosOf(screen, label).getByRole("button", { name: "Add photo" })).toBeVisible();
  await userEvent.upload(screen.container.querySelector<HTMLInputElement>("input[type=file]")!, chosen);
}

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a photo is made small, sent, and shown beside those of others without being fetched again", async () => {
  const { api, kept, asked } = serverOf([photoOf(7)]);
  const screen = await show(api);
  const input = () => screen.container.querySelector<HTMLInputElement>("input[type=file]")!;
  await expect
    .element(photosOf(screen, "B1").getByRole("img", { name: "Photo 1 of task B1, by Bo Ray, 2026-09-21 14:13:20 UTC" }))
    .toBeVisible();
  // Without "capture" a phone offers its camera and what is there already.
  expect([input().accept, input().hasAttribute("capture")]).toEqual(["image/*", false]);
  await choose(screen, await file({ width: 3_200, height: 1_000, type: "image/png" }, "plate.png"));
  await expect.element(photosOf(screen, "B1").getByRole("img", { name: /^Photo 2 of task B1, by Ann Lee/ })).toBeVisible();
  await expect.element(photosOf(screen, "B1").getByText("2 of at most 6")).toBeVisible();
  expect(kept[0]?.photo.taskTemplateId).toBe(201);
  // Else the browser would not say that the same file is chosen again.
  expect(input().value).toBe("");
  const sent = await createImageBitmap(kept[0]!.bytes);
  expect([sent.width, sent.height]).toEqual([1_600, 500]);
  // What was transparent is white, and not black.
  const context = new OffscreenCanvas(sent.width, sent.height).getContext("2d")!;
  context.drawImage(sent, 0, 0);
  expect([...context.getImageData(1_500, 100, 1, 1).data]).toEqual([255, 255, 255, 255]);
  expect(asked(getPhoto)).toHaveLength(1);
  await expect.poll(() => unsavedEdits.exist()).toBe(false);
});

test("a photo of a phone that was held upright is sent upright, and a small one is not made larger", async () => {
  const { api, kept } = serverOf();
  const screen = await show(api);
  await choose(screen, await turned());
  await expect.poll(() => kept.length).toBe(1);
  const sent = await createImageBitmap(kept[0]!.bytes, { imageOrientation: "none" });
  expect([sent.width, sent.height]).toEqual([20, 40]);
  expect(new TextDecoder("latin1").decode(await kept[0]!.bytes.arrayBuffer())).not.toContain("Exif");
});

test("it is opened large, and removed after a question", async () => {
  const { api, asked } = serverOf([photoOf(7), photoOf(8), photoOf(9, 202)]);
  const screen = await show(api);
  await expect.element(photosOf(screen, "B1").getByText("2 of at most 6")).toBeVisible();
  await photosOf(screen, "B1")
    .getByRole("button", { name: /^Photo 2 of task B1/ })
    .click();
  const dialog = screen.getByRole("dialog", { name: "Photo 2 of task B1" });
  await expect.element(dialog.getByRole("img", { name: "Photo 2 of task B1, by Bo Ray, 2026-09-21 14:13:20 UTC" })).toBeVisible();
  await dialog.getByRole("button", { name: "Remove photo…" }).click();
  await dialog.getByRole("button", { name: "Keep photo" }).click();
  expect(asked(deletePhoto)).toEqual([]);
  await dialog.getByRole("button", { name: "Remove photo…" }).click();
  await dialog.getByRole("button", { name: "Remove photo", exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(photosOf(screen, "B1").getByText("1 of at most 6")).toBeVisible();
  expect(asked(deletePhoto).map(({ input }) => input)).toEqual([{ params: { serial: "10101", id: "201", photoId: "8" } }]);
  await expect.element(photosOf(screen, "B1").getByRole("button", { name: "Add photo" })).toHaveFocus();
});

test("a photo that someone else removed meanwhile is gone, and a failure is said", async () => {
  const { api } = serverOf([photoOf(7)]);
  const screen = await show(api);
  await photosOf(screen, "B1")
    .getByRole("button", { name: /^Photo 1/ })
    .click();
  const dialog = screen.getByRole("dialog", { name: "Photo 1 of task B1" });
  api.answers[deletePhoto] = away;
  await dialog.getByRole("button", { name: "Remove photo…" }).click();
  await dialog.getByRole("button", { name: "Remove photo", exact: true }).click();
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("Unable to connect to server. Please try again later.");
  api.answers[deletePhoto] = () => {
    throw new ApiError(404, "NOT_FOUND", "This photo was not found: it may have been deleted");
  };
  await dialog.getByRole("button", { name: "Remove photo", exact: true }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test("without network it is said, kept over the next task, and sent again on demand", async () => {
  const { api, add, kept } = serverOf();
  api.answers[addPhoto] = away;
  const screen = await show(api);
  await choose(screen, await file());
  const tile = photosOf(screen, "B1").getByRole("alert");
  await expect
    .element(tile)
    .toHaveTextContent("Not sent: Unable to connect to server. Please try again later. The photo is lost when this page is closed.");
  await expect.element(photosOf(screen, "B1").getByRole("img", { name: "Not sent yet" })).toBeVisible();
  expect(unsavedEdits.questionOf()?.title).toBe("Leave without the photo?");
  // The next task asks nothing: the photo is not lost by it.
  await screen.getByRole("button", { name: "Skip" }).click();
  await expect.element(screen.getByRole("heading", { name: "B2 Task number 2" })).toBeVisible();
  const notice = screen.getByText("1 photo was not sent: B1. It is lost when this page is closed.");
  await expect.element(notice).toBeVisible();
  api.answers[addPhoto] = add;
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(notice).not.toBeInTheDocument();
  await expect.poll(() => kept.map(({ photo }) => photo.taskTemplateId)).toEqual([201]);
  await expect.poll(() => unsavedEdits.exist()).toBe(false);
});

test("it is sent by itself when the network is back", async () => {
  const { api, add, kept } = serverOf();
  api.answers[addPhoto] = away;
  const screen = await show(api);
  await choose(screen, await file());
  await expect.element(photosOf(screen, "B1").getByRole("button", { name: "Try again" })).toBeVisible();
  api.answers[addPhoto] = add;
  dispatchEvent(new Event("online"));
  await expect.element(photosOf(screen, "B1").getByRole("img", { name: /^Photo 1 of task B1/ })).toBeVisible();
  expect(kept).toHaveLength(1);
});

test("several go one after the other when the network is back", async () => {
  const { api, add, kept } = serverOf();
  api.answers[addPhoto] = away;
  const screen = await show(api);
  const failed = photosOf(screen, "B1").getByRole("button", { name: "Try again" });
  for (const width of [30, 40, 50, 60]) {
    const count = failed.elements().length;
    await choose(screen, await file({ width }));
    await expect.poll(() => failed.elements().length).toBe(count + 1);
  }
  let present = 0;
  // As the server does to a person who sends more at once.
  api.answers[addPhoto] = async (input) => {
    try {
      if (++present > 1) throw new ApiError(429, "TOO_MANY_REQUESTS", "Too many files are being uploaded at the moment. Please try again");
      await new Promise(requestAnimationFrame);
      return add(input);
    } finally {
      present--;
    }
  };
  dispatchEvent(new Event("online"));
  await expect.element(photosOf(screen, "B1").getByText("4 of at most 6")).toBeVisible();
  await expect.poll(() => failed.elements().length).toBe(0);
  expect(kept).toHaveLength(4);
});

test("after a session that ended it is sent by itself, and said to wait until then", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { api, add, kept, asked } = serverOf();
  api.answers[addPhoto] = () => {
    throw new ApiError(401, "UNAUTHORIZED", "Your session has ended. Please sign in again");
  };
  const screen = await show(api);
  await choose(screen, await file());
  const tile = photosOf(screen, "B1").getByRole("alert");
  const sentence = "Not sent: Your session has ended. Please sign in again. The photo is lost when this page is closed.";
  await expect.element(tile).toHaveTextContent(sentence);
  vi.advanceTimersByTime(15_000);
  await expect.poll(() => asked(addPhoto).length).toBe(2);
  await expect.element(tile).toHaveTextContent(sentence);
  api.answers[addPhoto] = add;
  await expect
    .poll(() => {
      vi.advanceTimersByTime(15_000);
      return kept.length;
    })
    .toBe(1);
  await expect.element(tile).not.toBeInTheDocument();
});

test("a photo that is still being read is asked about when its page is left", async () => {
  const { api, asked } = serverOf();
  const read = Promise.withResolvers<ImageBitmap>();
  vi.spyOn(globalThis, "createImageBitmap").mockReturnValueOnce(read.promise);
  const screen = await show(api);
  await choose(screen, await file());
  await expect.element(photosOf(screen, "B1").getByText("Reading…")).toBeVisible();
  expect(unsavedEdits.questionOf()?.title).toBe("Leave without the photo?");
  read.reject(new Error("no picture"));
  await expect.element(photosOf(screen, "B1").getByRole("button", { name: "OK" })).toBeVisible();
  await expect.poll(() => unsavedEdits.exist()).toBe(false);
  expect(asked(addPhoto)).toEqual([]);
});

test("a photo that was still being read when its page was left is not sent", async () => {
  const { api, kept } = serverOf();
  const bitmap = await createImageBitmap(await picture());
  const read = Promise.withResolvers<ImageBitmap>();
  vi.spyOn(globalThis, "createImageBitmap").mockReturnValueOnce(read.promise);
  const left = await show(api);
  await choose(left, await file());
  await expect.element(photosOf(left, "B1").getByText("Reading…")).toBeVisible();
  await left.unmount();
  read.resolve(bitmap);
  // By the time that another one has arrived, this one would have.
  const screen = await show(api);
  await choose(screen, await file({ width: 60 }));
  const widths = () => Promise.all(kept.map(async ({ bytes }) => (await createImageBitmap(bytes)).width));
  await expect.poll(widths).toContain(60);
  expect(await widths()).toEqual([60]);
});

test("what the server refuses is said and discarded, and not sent again by itself", async () => {
  const { api, asked } = serverOf();
  api.answers[addPhoto] = () => {
    throw new ApiError(409, "CONFLICT", "Task B1 has 6 photos already. Remove one of them first");
  };
  const screen = await show(api);
  await choose(screen, await file());
  const tile = photosOf(screen, "B1").getByRole("alert");
  await expect.element(tile).toHaveTextContent("Not sent: Task B1 has 6 photos already. Remove one of them first.");
  dispatchEvent(new Event("online"));
  expect(photosOf(screen, "B1").getByRole("button", { name: "Try again" }).elements()).toEqual([]);
  await photosOf(screen, "B1").getByRole("button", { name: "Discard photo" }).click();
  await expect.element(tile).not.toBeInTheDocument();
  expect(asked(addPhoto)).toHaveLength(1);
});

test("U-06 a file that is no picture is named at its task only, and a full task takes none", async () => {
  const { api, asked } = serverOf([1, 2, 3, 4, 5].map((id) => photoOf(id)));
  const screen = await show(api);
  await choose(screen, new File(["%PDF-1.7"], "plan.jpg", { type: "image/jpeg" }));
  const tile = photosOf(screen, "B1").getByRole("alert");
  await expect.element(tile).toHaveTextContent("Not sent: this browser cannot read plan.jpg as a picture.");
  await expect.poll(() => unsavedEdits.exist()).toBe(false);
  expect(asked(addPhoto)).toEqual([]);
  // U-06: nothing of it is lost, and no other task counts it.
  await screen.getByText("All tasks", { exact: true }).click();
  await screen.getByRole("button", { name: /^B2 / }).click();
  await expect.element(photosOf(screen, "B2")).toBeVisible();
  await expect.element(screen.getByText(/was not sent/)).not.toBeInTheDocument();
  await screen.getByRole("button", { name: /^B1 / }).click();
  // It takes no place of the sixth.
  await expect.element(photosOf(screen, "B1").getByRole("button", { name: "Add photo" })).toBeVisible();
  await photosOf(screen, "B1").getByRole("button", { name: "OK" }).click();
  await choose(screen, await file());
  await expect.element(screen.getByText("A task keeps 6 photos. Remove one to add another.")).toBeVisible();
  await expect.element(photosOf(screen, "B1").getByRole("button", { name: "Add photo" })).not.toBeInTheDocument();
});

test("a photo that may not be seen says so and does not break the others", async () => {
  const { api } = serverOf([photoOf(7)]);
  api.answers[getPhoto] = () => {
    throw new ApiError(403, "FORBIDDEN", "Your account is a demo user: it looks at data, and changes and downloads nothing");
  };
  const screen = await show(api);
  await photosOf(screen, "B1")
    .getByRole("button", { name: /^Photo 1 of task B1.*Not shown$/ })
    .click();
  await expect.element(screen.getByRole("dialog", { name: "Photo 1 of task B1" }).getByText(/^Your account is a demo user/)).toBeVisible();
});
