import { isSwapCopied, oldNodeStatuses, reasonOfSwap, type NodeSwap, type SwapPlan } from "@busbar/contract/directory/node-swaps.ts";
import { SerialNumber } from "@busbar/contract/values/serial-number.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { Dialog } from "#ui/dialog.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { Notice } from "#ui/notice.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { choicesOf, SelectField } from "#ui/select-field.tsx";
import { SuggestField } from "#ui/suggest-field.tsx";
import { TextField } from "#ui/text-field.tsx";
import { useFreeNodes, useNodeSwap, useSwapCalls, useSwapPlan } from "./node-swap.queries.ts";
import { SwapPlanFacts } from "./swap-plan-facts.tsx";
import { SwapProgress } from "./swap-progress.tsx";
import "./node-swap.css";

export interface SwapDialogProps {
  serial: string;
  onClose: () => void;
  /** Opens what issues the new node's credentials. */
  onCredentials: (serial: string) => void;
}

/** Another node takes this one's place (RMA); opened again, it goes on where the node's side stopped. */
export function SwapDialog({ serial, onClose, onCredentials }: SwapDialogProps) {
  const asked = useNodeSwap(serial);
  const { data } = asked;
  return (
    <Dialog title={`Swap Node ${serial}`} onClose={onClose}>
      <Loaded of={asked} loading={<LoadingForm label="Loading the node" fields={4} />} />
      {data && <SwapOrProgress serial={serial} swap={data.swap} onCredentials={onCredentials} />}
    </Dialog>
  );
}

interface SwapOrProgressProps extends Omit<SwapDialogProps, "onClose"> {
  swap: NodeSwap | null;
}

function SwapOrProgress({ serial, swap, onCredentials }: SwapOrProgressProps) {
  const [isAnother, setIsAnother] = useState(false);
  const [done, setDone] = useState<NodeSwap | undefined>();
  const isOpen = swap !== null && swap.newSerialNumber === serial && swap.isCurrent && !isSwapCopied(swap);
  // What someone goes on with stays, also once it is done.
  const [workedId, setWorkedId] = useState<number | undefined>();
  if (isOpen && workedId !== swap.id) setWorkedId(swap.id);
  if (done) return <SwapProgress swap={swap?.id === done.id ? swap : done} onCredentials={onCredentials} />;
  if (swap && swap.id === workedId && !isAnother)
    return (
      <>
        <SwapProgress swap={swap} onCredentials={onCredentials} />
        {isOpen && (
          <Button variant="default" size="compact-sm" onClick={() => setIsAnother(true)}>
            Swap node {serial} as well…
          </Button>
        )}
      </>
    );
  return <SwapForm serial={serial} last={swap} onCredentials={onCredentials} onDone={setDone} />;
}

const Values = z.object({
  newSerialNumber: SerialNumber,
  oldNodeStatus: z.enum(oldNodeStatuses),
  reason: reasonOfSwap,
  code: z.string().check(z.regex(/^[A-Za-z0-9]{0,32}$/, "A 2FA code is letters and digits only")),
});
type Values = z.infer<typeof Values>;

interface SwapFormProps extends Omit<SwapDialogProps, "onClose"> {
  last: NodeSwap | null;
  onDone: (swap: NodeSwap) => void;
}

function SwapForm({ serial, last, onCredentials, onDone }: SwapFormProps) {
  const { swap } = useSwapCalls(serial);
  const free = useFreeNodes().data ?? [];
  const form = useSaveForm<Values>({
    resolver: zodResolver(Values),
    defaultValues: { newSerialNumber: "", oldNodeStatus: "Unassigned", reason: "", code: "" },
    isQuietAtFirst: true,
  });
  const { control } = form;
  const newSerialNumber = useWatch({ control, name: "newSerialNumber" });
  const asked = useSwapPlan(serial, newSerialNumber);
  const { data: plan, error } = asked;
  if (!plan && error && last?.oldSerialNumber === serial) return <SwapProgress swap={last} onCredentials={onCredentials} />;
  if (!plan) return <Loaded of={asked} loading={<LoadingForm label="Loading the node" fields={4} />} />;

  const isLooked = plan.newSerialNumber === newSerialNumber;
  const problem = (isLooked ? plan.problem : null) ?? undefined;
  const isPlanned = isLooked && problem === undefined;
  const save = form.saving(async ({ code, ...values }) => {
    const done = await swap({
      ...values,
      isNew: plan.newNode === null,
      oldRevision: plan.oldRevision,
      ...(plan.newNode ? { newRevision: plan.newNode.revision } : {}),
      ...(code !== "" && isCopiedAtOnce(plan) ? { code } : {}),
    });
    form.reset();
    onDone(done);
    return undefined;
  });
  return (
    <SaveForm
      form={{
        line: form.line,
        bar: { ...form.bar, isValid: form.bar.isValid && isPlanned, isMarked: form.bar.isMarked || problem !== undefined },
      }}
      onSubmit={save}
      saveLabel="Swap"
      label="Swap"
    >
      <Stack gap="sm">
        <p className="dim">
          {[plan.customerName, plan.facilityName, plan.locationName].join(" / ")}
          {plan.isSecondary && ", secondary node"}
        </p>
        <SuggestField
          control={control}
          name="newSerialNumber"
          label="New Serial Number"
          description={`A free node of the type ${plan.type}, or the serial number of a new one`}
          data={free.filter(({ type }) => type === plan.type).map(({ serialNumber }) => serialNumber)}
          inputMode="numeric"
          maxLength={5}
          isRequired
          problem={problem}
          data-autofocus
          openOnFocus={false}
        />
        <SwapPlanFacts plan={plan} />
        <TextField
          control={control}
          name="reason"
          label="Reason"
          description="Of at least 3 characters; both nodes keep it with the swap"
          isRequired
        />
        <SelectField
          control={control}
          name="oldNodeStatus"
          label={`Node ${serial} becomes`}
          data={choicesOf(oldNodeStatuses)}
          isRequired
          maw={340}
        />
        <CopyLater plan={plan} />
        {isCopiedAtOnce(plan) && (
          <TextField
            control={control}
            name="code"
            label="2FA code"
            description="One for all values of the configuration; without it they wait"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={32}
            maw={340}
            isTrimmed
          />
        )}
      </Stack>
    </SaveForm>
  );
}

const isCopiedAtOnce = ({ newNode, config, problem }: SwapPlan): boolean =>
  newNode?.connected === true && config.length > 0 && problem === null;

/** Why the configuration cannot be copied at once. */
function CopyLater({ plan: { newSerialNumber, newNode, config, problem } }: { plan: SwapPlan }) {
  if (newSerialNumber === null || problem !== null || config.length === 0 || newNode?.connected) return null;
  return (
    <Notice kind="validation">
      Node {newSerialNumber} is not connected. The swap is made; its configuration waits until you go on from its page.
    </Notice>
  );
}
