import { useEffect, useState, type ReactNode, type SubmitEvent } from "react";
import { useForm, type FieldPath, type FieldValues, type UseFormProps } from "react-hook-form";
import { refusedByServer } from "./field-error.ts";
import { FormLine, type Reload } from "./form-line.tsx";
import { HistoryLink } from "./history-link.tsx";
import { putBackText } from "./put-back.tsx";
import { SaveBar, type SaveBarProps } from "./save-bar.tsx";
import { useOutcome, type Outcome } from "./use-outcome.ts";

export interface SaveFormProps<Values extends FieldValues> extends Omit<UseFormProps<Values>, "mode" | "reValidateMode"> {
  /** What the server calls otherwise than the form does: its name, the form's. */
  fieldNames?: Readonly<Record<string, FieldPath<Values>>>;
  /** Of who shows what the form says. */
  outcome?: Outcome | undefined;
  /** It is part of a page that is read, or is opened empty with nothing but a name: nothing is marked until someone types. */
  isQuietAtFirst?: boolean;
  /** Entered at once, as edits: what was there before, and shall be again. */
  putBack?: Values | undefined;
}

/** An item that others may save too while a form of it is open. */
export interface SharedItem<Values, Item extends { revision: number }> extends Pick<Reload, "noun" | "by"> {
  /** What the form was begun with; a new one without. */
  saved: Item | undefined;
  /** As it is now. */
  latest: Item | undefined;
  valuesOf: (item: Item) => Values;
  onLoad: (item: Item) => void;
}

/**
 * Every form of the console (.oxlintrc.json). What keeps it from being saved is marked at once, and after a success nothing is until
 * someone changes it again; what the server refuses marks its field. Its SaveBar keeps what is not saved from being thrown away unasked.
 */
export function useSaveForm<Values extends FieldValues>({
  fieldNames = {},
  outcome: shared,
  isQuietAtFirst = false,
  putBack,
  ...props
}: SaveFormProps<Values>) {
  const form = useForm<Values>({ ...props, mode: "onSubmit", reValidateMode: "onSubmit" });
  const { trigger, subscribe, setError, getValues, setValue, reset } = form;
  const { isDirty, dirtyFields, isValid, errors, isSubmitting } = form.formState;
  useEffect(() => {
    if (!isQuietAtFirst) void trigger();
    // All fields are judged together: a rule may be about two of them. A reset names no field.
    return subscribe({ formState: { values: true }, callback: ({ name }) => void (name !== undefined && trigger()) });
  }, [trigger, subscribe, isQuietAtFirst]);

  /** Marks the field that an error of the server names. */
  const refuse = (error: unknown): void => {
    const field = (error as { field?: string } | null)?.field?.split(".")[0];
    if (field === undefined || !(error instanceof Error)) return;
    const name = fieldNames[field] ?? (field as FieldPath<Values>);
    const message = error.message.replace(/^[\w.]+: /, "");
    if (getValues(name) !== undefined) setError(name, { type: refusedByServer, message }, { shouldFocus: true });
  };
  const [old] = useState(putBack);
  useEffect(() => {
    if (old === undefined) return;
    const present = getValues();
    for (const name of Object.keys(old) as FieldPath<Values>[])
      if (JSON.stringify(old[name]) !== JSON.stringify(present[name])) setValue(name, old[name], { shouldDirty: true });
  }, [old, getValues, setValue]);
  const own = useOutcome(old && { kind: "validation", text: putBackText });
  const outcome = shared ?? own;
  /** Sends the values of a valid form; what that comes to is said, and a success with the sentence that it gives. */
  const saving = (save: (values: Values) => Promise<string | undefined>, onInvalid?: () => void) =>
    form.handleSubmit((values) => outcome.run(() => save(values), { refuse }).then(() => undefined), onInvalid);
  /** What was entered stays, but for the fields that someone else changed too. */
  const reloadOf = <Item extends { revision: number }>({ noun, by, saved, latest, valuesOf, onLoad }: SharedItem<Values, Item>) => {
    if (!saved || !latest || latest.revision <= saved.revision) return undefined;
    const [before, now] = [valuesOf(saved), valuesOf(latest)];
    const changed = Object.keys(now).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]));
    const entered = Object.keys(dirtyFields) as FieldPath<Values>[];
    const onReload = () => {
      const kept = entered.filter((name) => !changed.includes(name)).map((name) => [name, getValues(name)] as const);
      onLoad(latest);
      reset(now);
      for (const [name, value] of kept) setValue(name, value, { shouldDirty: true });
      outcome.clear();
    };
    return { noun, by, changed, isLosing: entered.some((name) => changed.includes(name)), onReload } satisfies Reload;
  };
  return {
    ...form,
    refuse,
    saving,
    reloadOf,
    outcome,
    /** What the form itself says. */
    line: shared ? undefined : own,
    bar: { isValid, isMarked: Object.keys(errors).length > 0, isWorking: isSubmitting, hasEdits: isDirty },
  };
}

export interface SaveFormFrameProps {
  /** Without a line where another place says what comes of it. */
  form: { line: Outcome | undefined; bar: Omit<SaveBarProps, "saveLabel" | "children"> };
  onSubmit: () => Promise<unknown>;
  saveLabel: string;
  /** The fields. */
  children: ReactNode;
  className?: string;
  label?: string;
  /** Class around what the form says and its bar. */
  foot?: string;
  /** What someone else saved meanwhile. */
  reload?: Reload | undefined;
  /** Beside what the form says. */
  beside?: ReactNode;
  /** Another way to send the same fields. */
  otherSave?: ReactNode;
  /** What is edited, such as `node/10604`: a link leads to its changes. */
  object?: string | undefined;
}

/** Around the fields of a form: sends it once at a time, says what came of it, and has the bar that saves. */
export function SaveForm({
  form: { line, bar },
  onSubmit,
  saveLabel,
  children,
  className,
  label,
  foot,
  reload,
  beside,
  otherSave,
  object,
}: SaveFormFrameProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!bar.isWorking) void onSubmit();
  };
  const end = (
    <>
      <FormLine line={line} reload={reload} isWorking={bar.isWorking} />
      {beside}
      {object !== undefined && <HistoryLink object={object} />}
      <SaveBar saveLabel={saveLabel} {...bar}>
        {otherSave}
      </SaveBar>
    </>
  );
  return (
    <form className={className} onSubmit={submit} noValidate aria-label={label}>
      {children}
      {foot ? <div className={foot}>{end}</div> : end}
    </form>
  );
}
