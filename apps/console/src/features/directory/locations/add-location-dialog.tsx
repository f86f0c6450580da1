import { useState } from "react";
import { Dialog } from "#ui/dialog.tsx";
import { LocationFormData } from "./location-form-data.tsx";
import { LocationForm } from "./location-form.tsx";
import { useLocationChanges, type FacilityRef } from "./locations.queries.ts";

export interface AddLocationDialogProps extends FacilityRef {
  facilityName: string;
  onClose: () => void;
}

/** CUS-09 */
export function AddLocationDialog({ customerId, facilityId, facilityName, onClose }: AddLocationDialogProps) {
  const { add } = useLocationChanges();
  const [isAdded, setIsAdded] = useState(false);
  return (
    <Dialog title={`Add Location to ${facilityName}`} onClose={onClose}>
      <LocationFormData>
        {(data) => (
          <LocationForm
            {...data}
            {...(isAdded ? { onDone: onClose } : {})}
            onSave={async (location, wiringReason) => {
              await add({ customerId, facilityId }, { ...location, ...wiringReason });
              setIsAdded(true);
            }}
          />
        )}
      </LocationFormData>
    </Dialog>
  );
}
