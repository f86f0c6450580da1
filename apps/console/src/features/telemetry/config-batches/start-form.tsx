import { mostAtOnce, mostPerMinute, type Batch } from "@busbar/contract/telemetry/config-batches.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { readLocalDateTime } from "@busbar/contract/values/local-time.ts";
import { Button, Group, TextInput } from "@mantine/core";
import { useEffect, useRef, useState, type SubmitEvent } from "react";
import { formatDateTime } from "#lib/format-date.ts";
import { serverClock } from "#lib/server-clock.ts";
import { MessageLine } from "#ui/message-line.tsx";
import { Panel } from "#ui/panel.tsx";
import { PasscodeInput } from "#ui/passcode-input.tsx";
import { UnsavedEdits } from "#ui/unsaved-edits.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { usePasscode } from "#ui/use-passcode.ts";
import { useBatchNodes, useBatchOrders } from "./config-batches.queries.ts";

interface Pace {
  atOnce: string;
  perMinute: string;
  firstWave: string;
  stopPercent: string;
}

const fields: readonly { name: keyof Pace; label: string; low: number; high: number; isOptional?: boolean; hint?: string }[] = [
  { name: "firstWave", label: "First wave, nodes", low: 1, high: 2_000 },
  { name: "atOnce", label: "Nodes at once", low: 1, high: mostAtOnce },
  { name: "perMinute", label: "Nodes a minute", low: 1, high: mostPerMinute, isOptional: true, hint: "as many as go" },
  { name: "stopPercent", label: "Stop at failures, %", low: 0, high: 100 },
];

function problemOf({ low, high, isOptional = false }: (typeof fields)[number], text: string): string | undefined {
  if (text.trim() === "" && isOptional) return undefined;
  const isRight = /^\d{1,4}$/.test(text.trim()) && Number(text) >= low && Number(text) <= high;
  return isRight ? undefined : `A whole number from ${low} to ${high}`;
}

const startForm = "yyyy-mm-dd hh:mm";

/** A time that is over, or that the clocks skip, in one of the zones. */
function startProblem(startLocal: string, zones: ReadonlySet<string>): string | undefined {
  if (startLocal === "") return undefined;
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(startLocal)) return `Write it as ${startForm}`;
  for (const zone of zones) {
    const read = readLocalDateTime(`${startLocal}:00`, zone);
    if ("problem" in read) return read.problem;
    if (read.timestamp < serverClock.nowSeconds()) return `This time is past at ${zone}`;
  }
  return undefined;
}

/** COM-08: the instant that is meant, where all places have the same clocks. */
function startMeant(startLocal: string, [zone = "UTC", ...others]: readonly string[]): string {
  if (others.length > 0) return "By the clocks of each place";
  const read = readLocalDateTime(`${startLocal}:00`, zone);
  return "timestamp" in read ? `You entered ${formatDateTime(read.timestamp, "UTC")}` : `Time zone ${zone}`;
}

/** The passcode for exactly what the dry run showed, and how it is rolled out. */
export function StartForm({ batch }: { batch: Batch }) {
  const { id, hash, counts, firstWave, atOnce, stopPercent } = batch;
  const { start, steer } = useBatchOrders(id);
  const outcome = useOutcome();
  const passcode = usePasscode(outcome);
  const usual: Pace = { atOnce: `${atOnce}`, perMinute: "", firstWave: `${firstWave}`, stopPercent: `${stopPercent}` };
  const [pace, setPace] = useState(usual);
  const [enteredStart, setStart] = useState("");
  const startLocal = enteredStart.trim();
  const nodes = useBatchNodes(batch).data ?? [];
  const zones = new Set(nodes.filter(({ state }) => state === "waiting").map(({ timezone }) => timezone ?? "UTC"));
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => codeField.current?.focus(), []);

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (outcome.isWorking || startProblem(startLocal, zones) !== undefined) return;
    if (fields.some((field) => problemOf(field, pace[field.name]) !== undefined)) return;
    if (passcode.isMissing("Missing 2FA Passcode")) return;
    await outcome.run(async () => {
      await start.mutateAsync({
        hash,
        code: passcode.code,
        atOnce: Number(pace.atOnce),
        perMinute: pace.perMinute.trim() === "" ? null : Number(pace.perMinute),
        firstWave: Number(pace.firstWave),
        stopPercent: Number(pace.stopPercent),
        startLocal,
      });
      return undefined;
    });
    passcode.spend();
    codeField.current?.focus();
  };
  const order = (word: "readAgain" | "cancel") => outcome.run(async () => void (await steer.mutateAsync({ order: word })));

  return (
    <Panel title="Passcode and pace">
      <form onSubmit={(event) => void submit(event)} noValidate aria-label="Start the batch">
        <UnsavedEdits when={startLocal !== "" || fields.some(({ name }) => pace[name] !== usual[name])} />
        {counts.waiting > 0 && (
          <>
            <p className="batch-warning">
              Warning: this changes {counted(counts.waiting, "real node")} in the field. The passcode counts for exactly the nodes and
              values below.
            </p>
            <Group gap={10} align="flex-start">
              <PasscodeInput label="2FA PASSCODE" {...passcode.field} ref={codeField} />
              {fields.map((field) => (
                <TextInput
                  key={field.name}
                  label={field.label}
                  value={pace[field.name]}
                  placeholder={field.hint ?? ""}
                  inputMode="numeric"
                  w={140}
                  maxLength={4}
                  error={problemOf(field, pace[field.name])}
                  onChange={({ currentTarget }) => setPace({ ...pace, [field.name]: currentTarget.value })}
                />
              ))}
              <TextInput
                label="Not before, time of each place"
                value={enteredStart}
                placeholder={startForm}
                autoComplete="off"
                spellCheck={false}
                w={220}
                inputWrapperOrder={["label", "input", "description", "error"]}
                description={startMeant(startLocal, [...zones])}
                error={startProblem(startLocal, zones)}
                onChange={({ currentTarget }) => setStart(currentTarget.value)}
              />
            </Group>
          </>
        )}
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        <Group gap="sm" mt="xs">
          {counts.waiting > 0 ? (
            <Button type="submit" color="red.9" loading={start.isPending}>
              Change {counted(counts.waiting, "node")}
            </Button>
          ) : (
            <strong>No node would be changed.</strong>
          )}
          <Button variant="default" disabled={outcome.isWorking} onClick={() => void order("readAgain")}>
            Read again
          </Button>
          <Button variant="default" disabled={outcome.isWorking} onClick={() => void order("cancel")}>
            Discard
          </Button>
        </Group>
      </form>
    </Panel>
  );
}
