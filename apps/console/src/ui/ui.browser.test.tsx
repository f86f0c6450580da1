import { MantineProvider } from "@mantine/core";
import { zodResolver } from "@hookform/resolvers/zod";
import { useState, type ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import * as z from "zod/mini";
import { ApiError } from "#lib/api-error.ts";
import { mustMatch, notBlankText, textLike } from "#lib/text-rules.ts";
import { CopyButton } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";
import { MessageLine, type Message } from "./message-line.tsx";
import { NumberField } from "./number-field.tsx";
import { SaveBar } from "./save-bar.tsx";
import { useSaveForm } from "./save-form.tsx";
import { MultiLineField, TextField } from "./text-field.tsx";
import { theme } from "./theme.ts";
import { useOutcome } from "./use-outcome.ts";

const show = (children: ReactNode) => render(<MantineProvider theme={theme}>{children}</MantineProvider>);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function TwoDialogs() {
  const [depth, setDepth] = useState(0);
  return (
    <>
      <button onClick={() => setDepth(1)}>Open first</button>
      {depth > 0 && (
        <Dialog title="First" onClose={() => setDepth(0)}>
          <button onClick={() => setDepth(2)}>Open second</button>
          {depth > 1 && (
            <Dialog title="Second" onClose={() => setDepth(1)}>
              <p>Inner</p>
            </Dialog>
          )}
        </Dialog>
      )}
    </>
  );
}

test("COM-01 a dialog is large, stays on Escape and on a click beside it, keeps the focus inside and gives it back", async () => {
  const screen = await show(<TwoDialogs />);
  const opener = screen.getByRole("button", { name: "Open first" });
  await opener.click();
  const first = screen.getByRole("dialog", { name: "First" });
  await expect.element(first).toBeVisible();
  expect(first.element().getBoundingClientRect().width).toBeGreaterThan(Math.min(700, window.innerWidth * 0.8));
  await userEvent.keyboard("{Escape}");
  const overlay = document.querySelector<HTMLElement>(".mantine-Modal-overlay");
  overlay?.click();
  await expect.element(first).toBeVisible();
  for (let step = 0; step < 5; step++) {
    await userEvent.keyboard("{Tab}");
    expect(first.element().contains(document.activeElement)).toBe(true);
  }
  await screen.getByRole("button", { name: "Open second" }).click();
  const second = screen.getByRole("dialog", { name: "Second" });
  await expect.element(second).toBeVisible();
  const zIndex = (element: Element) => Number(getComputedStyle(element.closest(".mantine-Modal-inner") ?? element).zIndex);
  expect(zIndex(first.element())).toBeGreaterThanOrEqual(1050);
  expect(zIndex(second.element())).toBeGreaterThan(zIndex(first.element()));
  await second.getByRole("button", { name: "Close" }).click();
  await first.getByRole("button", { name: "Close" }).click();
  await expect.poll(() => document.activeElement?.textContent).toBe("Open first");
});

function WorkingDialog() {
  const [isWorking, setIsWorking] = useState(false);
  const [hasForm, setHasForm] = useState(true);
  const [isLoaded, setIsLoaded] = useState(false);
  return (
    <>
      <a href="#behind">Behind</a>
      <Dialog title="Working" onClose={() => undefined}>
        {isLoaded ? <input aria-label="Asked for" data-autofocus /> : <p>Loading</p>}
        {hasForm && (
          <button disabled={isWorking} onClick={() => setIsWorking(true)}>
            Save
          </button>
        )}
        <output>{String(isWorking)}</output>
      </Dialog>
      <button onClick={() => setIsLoaded(true)}>Load</button>
      <button onClick={() => setIsWorking(false)}>Finish</button>
      <button onClick={() => setHasForm(false)}>Take away</button>
    </>
  );
}

test("COM-01 the focus stays in a dialog whose button works or goes, and finds a field that is loaded later", async () => {
  const screen = await show(<WorkingDialog />);
  // What happens behind the dialog happens without the pointer.
  const press = (name: string) => {
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click();
  };
  const dialog = screen.getByRole("dialog", { name: "Working" });
  await expect.element(dialog.getByRole("button", { name: "Close" })).toHaveFocus();
  press("Load");
  await expect.element(dialog.getByRole("textbox", { name: "Asked for" })).toHaveFocus();

  const save = dialog.getByRole("button", { name: "Save" });
  await userEvent.keyboard("{Tab}{Enter}");
  await expect.element(save).toBeDisabled();
  await userEvent.keyboard("{Tab}");
  expect(dialog.element().contains(document.activeElement)).toBe(true);
  press("Finish");
  await expect.element(save).toBeEnabled();
  save.element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(save).toBeDisabled();
  press("Finish");
  await expect.element(save).toHaveFocus();
  press("Take away");
  // Of what is left beside it.
  await expect.element(dialog.getByRole("textbox", { name: "Asked for" })).toHaveFocus();
});

test("COM-01 a field that is loaded later takes the focus from no one who has begun, by keyboard or pointer", async () => {
  for (const begin of [() => userEvent.keyboard("{Tab}"), () => page.getByText("Loading").click()]) {
    const screen = await show(<WorkingDialog />);
    const dialog = screen.getByRole("dialog", { name: "Working" });
    await expect.element(dialog.getByRole("button", { name: "Close" })).toHaveFocus();
    await begin();
    const begun = document.activeElement;
    [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Load")?.click();
    await expect.element(dialog.getByRole("textbox", { name: "Asked for" })).toBeVisible();
    // What takes it does so after what is drawn.
    await new Promise((go) => setTimeout(go));
    expect(document.activeElement).toBe(begun);
    await screen.unmount();
  }
});

test.each([
  ["copied", () => Promise.resolve()],
  ["refused", () => Promise.reject(new Error("not allowed"))],
])("a copy says for a moment that it was %s", async (outcome, writeText) => {
  vi.useFakeTimers();
  const written = vi.spyOn(navigator.clipboard, "writeText").mockImplementation(writeText);
  const screen = await show(<CopyButton text="10101" label="Copy 10101" />);
  const button = screen.getByRole("button", { name: "Copy 10101" });
  (button.element() as HTMLElement).click();
  await expect.element(button).toHaveAttribute("title", outcome);
  expect(written.mock.calls).toEqual([["10101"]]);
  await vi.advanceTimersByTimeAsync(1_500);
  await expect.element(button).toHaveAttribute("title", "Copy 10101");
});

test("COM-02 a success counts five seconds down and goes; the other messages stay", async () => {
  vi.useFakeTimers();
  const onCleared = vi.fn<() => void>();
  const lines: Message[] = [
    { kind: "success", text: "Saved" },
    { kind: "error", text: "Refused" },
    { kind: "validation", text: "Not valid" },
    { kind: "working", text: "Sending request to server..." },
  ];
  const screen = await show(lines.map((message) => <MessageLine key={message.kind} message={message} onCleared={onCleared} />));
  expect(screen.container.textContent).toContain("Saved (5)");
  await vi.advanceTimersByTimeAsync(2_000);
  // React renders by real messages, for which fake timers do not wait.
  await expect.poll(() => screen.container.textContent).toContain("Saved (3)");
  expect(onCleared).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(3_000);
  await expect.poll(() => onCleared.mock.calls).not.toEqual([]);
  for (const { text } of lines.slice(1)) expect(screen.container.textContent).toContain(text);
  expect(screen.getByRole("alert").element().textContent).toContain("Refused");
});

test.each([
  [new ApiError(401, "UNAUTHORIZED", "Your session has ended. Please sign in again"), ""],
  [new ApiError(401, "LOGIN_FAILED", "Username or password is incorrect"), "Username or password is incorrect"],
])("A-28 a form says why it was not saved, but for a session that ended, after which one signs in above it: %s", async (error, said) => {
  function Work() {
    const outcome = useOutcome();
    const save = async () => {
      throw error;
    };
    return (
      <>
        <button onClick={() => void outcome.run(save)}>Save</button>
        <output aria-busy={outcome.isWorking}>{outcome.message?.text}</output>
      </>
    );
  }
  const screen = await show(<Work />);
  await screen.getByRole("button", { name: "Save" }).click();
  const outcome = screen.getByRole("status");
  await expect.element(outcome).toHaveAttribute("aria-busy", "false");
  expect(outcome.element().textContent).toBe(said);
});

test("COM-03 saving waits for valid data and says so in the exact words", async () => {
  const screen = await show(<SaveBar saveLabel="Save Node" isValid={false} isWorking={false} hasEdits={false} />);
  const save = screen.getByRole("button", { name: "Save Node" });
  await expect.element(save).toBeDisabled();
  await expect.element(screen.getByText("Please correct the fields marked in red to enable Save Node button.")).toBeVisible();
  await screen.rerender(
    <MantineProvider theme={theme}>
      <SaveBar saveLabel="Save Node" isValid isWorking={false} hasEdits={false} />
    </MantineProvider>,
  );
  await expect.element(save).toBeEnabled();
  expect(screen.container.textContent).not.toContain("Please correct");
});

const Values = z
  .object({
    code: textLike(/^[a-z]{2,}$/, "Two or more lowercase letters").check(z.minLength(1, "Required")),
    again: z.string(),
    notes: notBlankText(),
  })
  .check(mustMatch("again", "code", "Not the same"));

function Fields() {
  const { control, bar } = useSaveForm({
    resolver: zodResolver(Values),
    defaultValues: { code: "", again: "", notes: "  " },
  });
  return (
    <form>
      <TextField control={control} name="code" label="Code" isLowercase isRequired />
      <TextField control={control} name="again" label="Again" />
      <MultiLineField control={control} name="notes" label="Notes" isRequired />
      <SaveBar saveLabel="Save" {...bar} />
    </form>
  );
}

test("COM-09 text fields: required, pattern, must match, lowercase; several lines must not be blank", async () => {
  const screen = await show(<Fields />);
  const code = screen.getByRole("textbox", { name: "Code" });
  const again = screen.getByRole("textbox", { name: "Again" });
  const notes = screen.getByRole("textbox", { name: "Notes" });
  const save = screen.getByRole("button", { name: "Save" });
  await expect.element(save).toBeDisabled();
  await code.fill("A");
  await expect.element(screen.getByText("Two or more lowercase letters")).toBeVisible();
  await code.fill("AB");
  await expect.element(code).toHaveValue("ab");
  await expect.element(code).not.toHaveAttribute("aria-invalid", "true");
  await code.fill("");
  await again.click();
  await expect.element(screen.getByText("Required")).toBeVisible();
  await code.fill("ab");
  await again.fill("abc");
  await expect.element(screen.getByText("Not the same")).toBeVisible();
  await expect.element(again).toHaveAttribute("aria-invalid", "true");
  await again.fill("ab");
  await expect.element(again).not.toHaveAttribute("aria-invalid", "true");
  await notes.fill(" \n ");
  await expect.element(notes).toHaveAttribute("aria-invalid", "true");
  await expect.element(save).toBeDisabled();
  await notes.fill("x");
  await expect.element(save).toBeEnabled();
});

const Limits = z.object({ limit: z.number("This is no number"), code: z.string() });

function LimitForm({ onSave }: { onSave: (values: z.infer<typeof Limits>) => void }) {
  const { control, handleSubmit, reset } = useSaveForm({
    resolver: zodResolver(Limits),
    defaultValues: { limit: 10, code: "" },
  });
  return (
    <form onSubmit={(event) => void handleSubmit(onSave)(event)}>
      <NumberField control={control} name="limit" label="Limit" unit="%" />
      <TextField control={control} name="code" label="Code" isTrimmed />
      <button>Save</button>
      <button type="button" onClick={() => reset()}>
        Start over
      </button>
    </form>
  );
}

test("COM-09 a number is taken as it is typed or refused, never turned into another one", async () => {
  const onSave = vi.fn<(values: object) => void>();
  const screen = await show(<LimitForm onSave={onSave} />);
  const limit = screen.getByLabelText("Limit");
  for (const text of ["1,000", "2,5", "1e3", "12 5", "abc", "", "--1"]) {
    await limit.fill(text);
    await expect.element(limit).toHaveValue(text);
    await expect.element(screen.getByText("This is no number")).toBeVisible();
  }
  await screen.getByRole("button", { name: "Start over" }).click();
  await expect.element(limit).toHaveValue("10");
  for (const [text, value] of [
    ["0.50", 0.5],
    [" 12.5 ", 12.5],
    ["-3", -3],
  ] as const) {
    await limit.fill(text);
    await expect.element(screen.getByText("This is no number")).not.toBeInTheDocument();
    await screen.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => onSave.mock.lastCall?.[0]).toMatchObject({ limit: value });
  }
});

test("COM-09 a code loses the spaces that were pasted with it", async () => {
  const screen = await show(<LimitForm onSave={() => {}} />);
  await screen.getByLabelText("Code").fill(" 54321\u00a0");
  await expect.element(screen.getByLabelText("Code")).toHaveValue("54321");
});

const Entry = z.object({ name: notBlankText("Name is required"), again: notBlankText("Again is required"), wire: z.string() });

function RefusedForm({ onSave }: { onSave: () => Promise<void> }) {
  const { control, handleSubmit, reset, refuse, bar } = useSaveForm({
    resolver: zodResolver(Entry.check(mustMatch("again", "name", "Not the same"))),
    defaultValues: { name: "", again: "", wire: "" },
    fieldNames: { wireName: "wire" },
  });
  const submit = handleSubmit(() => onSave().then(() => reset(), refuse));
  return (
    <form onSubmit={(event) => void submit(event)}>
      <TextField control={control} name="name" label="Name" isRequired />
      <TextField control={control} name="again" label="Again" isRequired />
      <TextField control={control} name="wire" label="Wire" />
      <SaveBar saveLabel="Save" {...bar} />
    </form>
  );
}

test("A-20 what blocks Save is red at once and in words at the first touch; the server's refusal marks its field; after a success nothing is", async () => {
  const refusal = (field: string) => Promise.reject(Object.assign(new Error(`${field}: is taken`), { field }));
  const onSave = vi.fn<() => Promise<void>>();
  const screen = await show(<RefusedForm onSave={onSave} />);
  const [name, again, wire] = ["Name", "Again", "Wire"].map((label) => screen.getByRole("textbox", { name: label }));
  const red = () => [name, again, wire].map((field) => field?.element().getAttribute("aria-invalid") === "true");
  const hint = screen.getByText("Please correct the fields marked in red to enable Save button.");
  const save = screen.getByRole("button", { name: "Save" });
  await expect.poll(red).toEqual([true, true, false]);
  await expect.element(hint).toBeVisible();
  expect(screen.container.textContent).not.toContain("is required");
  await name?.click();
  await again?.click();
  await expect.element(screen.getByText("Name is required")).toBeVisible();
  expect(screen.container.textContent).not.toContain("Again is required");

  // A rule about two fields marks the one that breaks it, whichever was changed.
  await name?.fill("Mill");
  await again?.fill("Mill");
  await expect.poll(red).toEqual([false, false, false]);
  await name?.fill("Mills");
  await expect.poll(red).toEqual([false, true, false]);
  await expect.element(save).toBeDisabled();
  await again?.fill("Mills");

  for (const [refused, marked] of [
    ["name", [true, false, false]],
    ["wireName.0", [false, false, true]],
    ["notHere", [false, false, false]],
  ] as const) {
    onSave.mockImplementationOnce(() => refusal(refused));
    await save.click();
    await expect.poll(red).toEqual(marked);
    expect(screen.container.textContent.includes("is taken")).toBe(marked.some(Boolean));
    await wire?.fill(refused);
    await expect.poll(red).toEqual([false, false, false]);
  }
  onSave.mockResolvedValueOnce();
  await save.click();
  await expect.element(name!).toHaveValue("");
  await expect.element(save).toBeDisabled();
  expect(red()).toEqual([false, false, false]);
  await expect.element(hint).not.toBeInTheDocument();
  await wire?.fill("x");
  await expect.poll(red).toEqual([true, true, false]);
  await expect.element(hint).toBeVisible();
});

test("A-20 a button below a required field that has the focus is reached by the mouse; the keyboard's leaving says at once what is wrong", async () => {
  const pressed = vi.fn<() => void>();
  function Name() {
    const { control } = useSaveForm({
      resolver: zodResolver(z.object({ name: notBlankText("Name is required") })),
      defaultValues: { name: "" },
    });
    return (
      <>
        <TextField control={control} name="name" label="Name" isRequired />
        <button onClick={pressed} style={{ display: "block", height: 12, padding: 0, lineHeight: "10px" }}>
          Revoke
        </button>
      </>
    );
  }
  const screen = await show(<Name />);
  const field = screen.getByRole("textbox", { name: "Name" });
  const inWords = () => document.querySelector(".mantine-InputWrapper-error")?.textContent ?? "";
  (field.element() as HTMLElement).focus();
  await expect.element(field).toHaveAttribute("aria-invalid", "true");
  expect(inWords()).toBe("");
  await screen.getByRole("button", { name: "Revoke" }).click();
  expect(pressed).toHaveBeenCalledOnce();
  await expect.poll(inWords).not.toBe("");
  await screen.unmount();

  await show(<Name />);
  (field.element() as HTMLElement).focus();
  expect(inWords()).toBe("");
  await userEvent.keyboard("{Tab}");
  await expect.poll(inWords).not.toBe("");
});
