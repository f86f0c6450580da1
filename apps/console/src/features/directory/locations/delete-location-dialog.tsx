import type { PlacedLocation } from "@busbar/contract/directory/locations.ts";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import type { FormEvent } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { FailureState } from "#ui/data-states.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { PasscodeInput } from "#ui/passcode-input.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { useLocation, useLocationChanges } from "./locations.queries.ts";
import "./locations.css";

/** CUS-17 */
export function DeleteLocationDialog({ locationId, onClose }: { locationId: number; onClose: () => void }) {
  const [isDeleted, setIsDeleted] = useState(false);
  const { data: location, error, refetch } = useLocation(locationId, { isGone: isDeleted });
  return (
    <Dialog title={location ? `Delete location ${location.name}?` : "Delete location"} onClose={onClose}>
      {!location && !error && <LoadingRows label="Loading the location" rows={3} height={24} />}
      {!location && error && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
      {location && <DeleteForm location={location} isDeleted={isDeleted} onDeleted={() => setIsDeleted(true)} onClose={onClose} />}
    </Dialog>
  );
}

interface DeleteFormProps {
  location: PlacedLocation;
  isDeleted: boolean;
  onDeleted: () => void;
  onClose: () => void;
}

function DeleteForm({ location, isDeleted, onDeleted, onClose }: DeleteFormProps) {
  const { remove } = useLocationChanges();
  const [code, setCode] = useState("");
  const [hasTried, setHasTried] = useState(false);
  const outcome = useOutcome();
  const { message, isWorking } = outcome;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isWorking) return;
    if (code === "")
      return outcome.say({ kind: "validation", text: hasTried ? "Please enter 2FA code and try again" : "Please enter 2FA code" });
    setHasTried(true);
    await outcome.run(async () => {
      await remove(location, code);
      onDeleted();
      return "Location deleted successfully. Click 'Close' to return to location list.";
    });
    // A code is used once, whatever came of it.
    setCode("");
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label="Delete location">
      {!isDeleted && (
        <>
          <p className="dim place-line">
            {location.customerName} / {location.facilityName}
          </p>
          <ul className="location-gone">
            <li>{nodeWords(location)}</li>
            <li>{noteWords(location.noteCount)}</li>
          </ul>
          <PasscodeInput value={code} message={message} onChange={setCode} data-autofocus mb="sm" />
        </>
      )}
      <MessageLine message={message} onCleared={isDeleted ? undefined : outcome.clear} />
      <Group justify="flex-end" gap="sm" mt="sm">
        <Button type="button" variant="default" onClick={onClose}>
          Close
        </Button>
        {!isDeleted && (
          <Button type="submit" color="red.9" disabled={isWorking} loading={isWorking}>
            Delete
          </Button>
        )}
      </Group>
    </form>
  );
}

function nodeWords({ nodes }: PlacedLocation): string {
  const serials = nodes.map(({ serialNumber }) => serialNumber).join(" and ");
  if (nodes.length === 0) return "No node is at this location.";
  return `${nodes.length === 1 ? "Node" : "Nodes"} ${serials} ${nodes.length === 1 ? "becomes" : "become"} free and Unassigned. What ${nodes.length === 1 ? "it has" : "they have"} measured stays.`;
}

function noteWords(count: number): string {
  if (count === 0) return "The location has no notes.";
  return count === 1 ? "Its note is deleted." : `Its ${count} notes are deleted.`;
}
