import { MuteForm, type MutedKind } from "@busbar/contract/alarms/mutes.ts";
import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import type { FieldErrors, ResolverResult } from "react-hook-form";
import { enterInstant, instantOf } from "#lib/entered-instant.ts";
import { serverClock } from "#lib/server-clock.ts";
import { DateTimeField } from "#ui/date-time-field.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { choicesOf, SelectField } from "#ui/select-field.tsx";
import { TextField } from "#ui/text-field.tsx";
import { mutePresets } from "./mute-times.ts";
import { useCreateMute } from "./mutes.queries.ts";
import "./mutes.css";

/** What may be muted, with its name. */
export interface Mutable {
  kind: MutedKind;
  objectId: number;
  name: string;
}

export interface MuteDialogProps {
  /** The first one is chosen. */
  objects: readonly [Mutable, ...Mutable[]];
  /** The zone whose clocks say when it ends. */
  timezone: string;
  onClose: () => void;
}

interface Values {
  object: string;
  reason: string;
  until: string;
}

const choiceOf = ({ kind, name }: Mutable): string => `${kind[0]?.toUpperCase()}${kind.slice(1)} ${name}`;

/** Why, and until when, no one is notified of a node, a location or a facility. */
export function MuteDialog({ objects, timezone, onClose }: MuteDialogProps) {
  const create = useCreateMute();
  const [presets] = useState(() => mutePresets(serverClock.nowSeconds(), timezone));
  const [entered, setEntered] = useState(() => enterInstant(presets[0]!.untilTimestamp, timezone));
  // In the second of two equal hours the text of a preset alone would mean the first.
  const originals = presets.map(({ untilTimestamp }) => enterInstant(untilTimestamp, timezone));
  const read = (until: string) =>
    instantOf(
      until,
      timezone,
      originals.find(({ text }) => text === until),
    );
  const form = useSaveForm<Values>({
    resolver: (values) => checked(values, read(values.until)),
    defaultValues: { object: choiceOf(objects[0]), reason: "", until: entered.text },
    fieldNames: { untilTimestamp: "until" },
  });
  const { control, setValue } = form;
  const save = form.saving(async ({ object, reason, until }) => {
    const { kind, objectId } = objects.find((each) => choiceOf(each) === object) ?? objects[0];
    const end = read(until);
    if ("timestamp" in end) await create.mutateAsync({ kind, objectId, reason, untilTimestamp: Math.floor(end.timestamp) });
    onClose();
    return undefined;
  });
  return (
    <Dialog title={objects.length === 1 ? `Mute ${choiceOf(objects[0])}` : "Mute"} onClose={onClose}>
      <SaveForm form={form} onSubmit={save} saveLabel="Mute" label="Mute">
        <Stack gap="sm">
          <p>
            No one is notified of what it covers, and nothing of it asks for action on Home and the dashboard. Values, files, alarms and
            incidents are recorded as always, and messages that would have been sent are listed as muted. It ends by itself; a loss of
            connection that is not over then is reported.
          </p>
          {objects.length > 1 && (
            <SelectField control={control} name="object" label="What" data={choicesOf(objects.map(choiceOf))} isRequired />
          )}
          <TextField control={control} name="reason" label="Reason" isRequired data-autofocus />
          <fieldset className="mute-presets">
            <legend className="visually-hidden">For how long</legend>
            {presets.map(({ label, untilTimestamp }) => (
              <Button
                key={label}
                variant="default"
                size="compact-sm"
                onClick={() => {
                  const next = enterInstant(untilTimestamp, timezone);
                  setEntered(next);
                  setValue("until", next.text, { shouldDirty: true, shouldValidate: true });
                }}
              >
                {label}
              </Button>
            ))}
          </fieldset>
          <DateTimeField control={control} name="until" label="Until" timezone={timezone} original={entered} isRequired maw={340} />
        </Stack>
      </SaveForm>
    </Dialog>
  );
}

/** The contract's rules, with the end read in the place's zone (COM-08). */
function checked(values: Values, end: ReturnType<typeof instantOf>): ResolverResult<Values> {
  const errors: FieldErrors<Values> = {};
  const result = MuteForm.safeParse({ reason: values.reason, untilTimestamp: "timestamp" in end ? Math.floor(end.timestamp) : 0 });
  for (const { path, message } of result.error?.issues ?? []) {
    const field = path[0] === "reason" ? "reason" : "until";
    errors[field] ??= { type: "rule", message: field === "until" && "problem" in end ? end.problem : message };
  }
  if (!errors.until && "timestamp" in end && end.timestamp <= serverClock.nowSeconds())
    errors.until = { type: "rule", message: "Enter a moment that is still to come" };
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
}
