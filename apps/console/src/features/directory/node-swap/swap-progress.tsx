import { isSwapCopied, type NodeSwap } from "@busbar/contract/directory/node-swaps.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { Button, Group, Progress } from "@mantine/core";
import type { SubmitEvent } from "react";
import { visibleText } from "#lib/visible-text.ts";
import { DateTime } from "#ui/date-time.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { NodeLink } from "#ui/node-link.tsx";
import { Notice } from "#ui/notice.tsx";
import { PasscodeInput } from "#ui/passcode-input.tsx";
import { UnsavedEdits } from "#ui/unsaved-edits.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { usePasscode } from "#ui/use-passcode.ts";
import { useSwapCalls } from "./node-swap.queries.ts";
import { configLine } from "./swap-words.ts";
import "./node-swap.css";

/** What a swap did, and how far the node's side of it is. */
export function SwapProgress({ swap, onCredentials }: { swap: NodeSwap; onCredentials: (serial: string) => void }) {
  const { oldSerialNumber, newSerialNumber, customerName, facilityName, locationName, oldNodeStatus, username, reason } = swap;
  const { values, isCopying, isCurrent } = swap;
  const confirmed = values.filter(({ state }) => state === "confirmed").length;
  const refused = values.filter(({ state, detail }) => state === "refused" && detail !== "");
  return (
    <>
      <Notice kind={isCurrent ? "success" : "validation"}>
        Node <NodeLink serial={newSerialNumber} /> took the place of <NodeLink serial={oldSerialNumber} /> at {customerName} /{" "}
        {facilityName} / {locationName}; {oldSerialNumber} became {oldNodeStatus}.
      </Notice>
      <p className="dim">
        <DateTime timestamp={swap.timestamp} timezone={swap.timezone} /> by {username}: {visibleText(reason)}
      </p>
      {values.length > 0 && (
        <section aria-label="Configuration" className="swap-config">
          <output className="swap-line">{configLine(swap)}</output>
          <Progress
            value={(100 * confirmed) / values.length}
            size="sm"
            aria-label={`${confirmed} of ${counted(values.length, "value")} confirmed`}
          />
          <ul className="bare-list swap-list">
            {refused.map(({ key, detail }) => (
              <li key={key}>
                <span className="mono">{key}</span>: {detail}
              </li>
            ))}
          </ul>
          {isCopying && <Notice kind="working">Node {newSerialNumber} gets the values one after the other…</Notice>}
          {!isCopying && isCurrent && !isSwapCopied(swap) && <GoOn swap={swap} />}
        </section>
      )}
      <p>
        Next: <a href={`#/nodes/${newSerialNumber}/tasks`}>deployment tasks of {newSerialNumber}</a>
        {!swap.connected && (
          <>
            {" "}
            <Button variant="default" size="compact-sm" onClick={() => onCredentials(newSerialNumber)}>
              Credentials of {newSerialNumber}…
            </Button>
          </>
        )}
      </p>
    </>
  );
}

function GoOn({ swap: { newSerialNumber, connected, pauseReason } }: { swap: NodeSwap }) {
  const { goOn, leave } = useSwapCalls(newSerialNumber);
  const outcome = useOutcome();
  const passcode = usePasscode(outcome);
  const leaveRest = (
    <Button
      variant="default"
      disabled={outcome.isWorking}
      onClick={() =>
        void outcome.run(async () => {
          await leave();
          return undefined;
        })
      }
    >
      Leave the rest as it is
    </Button>
  );
  if (!connected)
    return (
      <>
        <Notice kind="validation" action={leaveRest}>
          Node {newSerialNumber} is not connected. Its configuration waits: go on here when it is.
        </Notice>
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
      </>
    );
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (outcome.isWorking) return;
    if (passcode.isMissing()) return;
    await outcome.run(async () => {
      await goOn(passcode.code);
      return undefined;
    });
    passcode.spend();
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label="Go on">
      {pauseReason !== "" && <Notice kind="warning">{pauseReason}</Notice>}
      <Group align="flex-end" gap="sm">
        <PasscodeInput {...passcode.field} />
        <Button type="submit" loading={outcome.isWorking}>
          Go on
        </Button>
        {leaveRest}
      </Group>
      <UnsavedEdits when={passcode.code !== ""} />
      <MessageLine message={outcome.message} onCleared={outcome.clear} />
    </form>
  );
}
