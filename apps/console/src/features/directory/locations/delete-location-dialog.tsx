import type { PlacedLocation } from "@busbar/contract/directory/locations.ts";
import { useState } from "react";
import { Dialog } from "#ui/dialog.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { PasscodeForm } from "#ui/passcode-dialog.tsx";
import { useLocation, useLocationChanges } from "./locations.queries.ts";
import "./locations.css";

/** CUS-17 */
export function DeleteLocationDialog({ locationId, onClose }: { locationId: number; onClose: () => void }) {
  const { remove } = useLocationChanges();
  const [isDeleted, setIsDeleted] = useState(false);
  const asked = useLocation(locationId, { isGone: isDeleted });
  const { data: location } = asked;
  return (
    <Dialog title={location ? `Delete location ${location.name}?` : "Delete location"} onClose={onClose}>
      <Loaded of={asked} loading={<LoadingRows label="Loading the location" rows={3} height={24} />} />
      {location && (
        <PasscodeForm
          label="Delete location"
          onClose={onClose}
          onConfirm={async (code) => {
            await remove(location, code);
            setIsDeleted(true);
            return "Location deleted successfully. Click 'Close' to return to location list.";
          }}
        >
          <p className="dim place-line">
            {location.customerName} / {location.facilityName}
          </p>
          <ul className="location-gone">
            <li>{nodeWords(location)}</li>
            <li>{noteWords(location.noteCount)}</li>
          </ul>
        </PasscodeForm>
      )}
    </Dialog>
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
