import { counted } from "@busbar/contract/values/counted.ts";
import type { MoveTarget, PlacedLocation } from "@busbar/contract/directory/locations.ts";
import { useState } from "react";
import { afterPress } from "#lib/after-press.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Loaded, bothOf } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { SaveForm } from "#ui/save-form.tsx";
import { Select } from "#ui/select.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { useLocation, useLocationChanges, useMoveTargets } from "./locations.queries.ts";
import "./locations.css";

/** CUS-17, for systemAdministrators. */
export function MoveLocationDialog({ locationId, onClose }: { locationId: number; onClose: () => void }) {
  const location = useLocation(locationId);
  const targets = useMoveTargets();
  return (
    <Dialog title={location.data ? `Move location ${location.data.name}` : "Move location"} onClose={onClose}>
      <Loaded of={bothOf(location, targets)} loading={<LoadingForm label="Loading the facilities" fields={2} />}>
        {([moved, offered]) => <MoveForm location={moved} targets={offered} />}
      </Loaded>
    </Dialog>
  );
}

const mostOffered = 200;

interface MoveFormProps {
  location: PlacedLocation;
  targets: readonly MoveTarget[];
}

function MoveForm({ location, targets }: MoveFormProps) {
  const { move } = useLocationChanges();
  const [chosen, setChosen] = useState<string | null>(null);
  const outcome = useOutcome();
  const [isMoved, setIsMoved] = useState(false);
  const [isTouched, setIsTouched] = useState(false);
  const target = targets.find(({ facilityId }) => String(facilityId) === chosen);
  const isSame = target?.facilityId === location.facilityId;
  const isValid = target !== undefined && !isSame;
  const problem = isSame ? "The location is at this facility already. Choose another one" : isValid ? undefined : "Choose a facility";

  const submit = async () => {
    if (!target || !isValid) return;
    await outcome.run(async () => {
      await move(location, target);
      setIsMoved(true);
      return `Location moved to ${target.customerName} / ${target.facilityName}`;
    });
  };

  return (
    <>
      <p className="place-line">
        Now at {location.customerName} / {location.facilityName}. {alongWords(location)}
      </p>
      {isMoved ? (
        <MessageLine message={outcome.message} onCleared={undefined} />
      ) : (
        <SaveForm
          form={{ line: outcome, bar: { isValid, isWorking: outcome.isWorking, hasEdits: chosen !== null } }}
          onSubmit={submit}
          saveLabel="Move"
          label="Move location"
        >
          <Select
            label="Target Facility"
            placeholder="Search a customer or facility"
            data={targets.map(({ facilityId, customerName, customerCode, facilityName }) => ({
              value: String(facilityId),
              label: `${customerName} (${customerCode}) / ${facilityName}`,
            }))}
            value={chosen}
            onChange={setChosen}
            onBlur={() => afterPress(() => setIsTouched(true))}
            searchable
            data-autofocus
            openOnFocus={false}
            limit={mostOffered}
            nothingFoundMessage="No facility of this name"
            withAsterisk
            aria-required
            error={problem === undefined ? undefined : isTouched || isSame ? problem : true}
            mb="sm"
          />
        </SaveForm>
      )}
    </>
  );
}

function alongWords({ nodes, noteCount }: PlacedLocation): string {
  const notes = counted(noteCount, "note");
  if (nodes.length === 0) return `With it go ${notes}.`;
  return `With it go ${nodes.map(({ serialNumber }) => `node ${serialNumber}`).join(", ")} and ${notes}; what was measured and recorded stays.`;
}
