import { hasSecondaryNode, type LocationNode, type PlacedLocation } from "@busbar/contract/directory/locations.ts";
import { useState, type ReactNode } from "react";
import { Dialog } from "#ui/dialog.tsx";
import { Expander } from "#ui/expander.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { TrendsLink } from "#ui/trends-of-location.tsx";
import { NodeHistory } from "./node-history.tsx";
import { LocationFormData } from "./location-form-data.tsx";
import { LocationForm } from "./location-form.tsx";
import { changedOf } from "./location-values.ts";
import { useLocation, useLocationChanges } from "./locations.queries.ts";

export interface EditLocationDialogProps {
  locationId: number;
  onClose: () => void;
  /** The editor of a node; it belongs to another feature. */
  renderNode: (node: LocationNode) => ReactNode;
}

type SectionName = "location" | "primary" | "secondary";

/** CUS-16: the location, its primary and its secondary node, each in a section that opens and closes. */
export function EditLocationDialog({ locationId, onClose, renderNode }: EditLocationDialogProps) {
  const asked = useLocation(locationId);
  const { data: location } = asked;
  return (
    <Dialog title={location ? `Edit Location ${location.name}` : "Edit Location"} onClose={onClose}>
      <Loaded of={asked} loading={<LoadingForm label="Loading the location" fields={6} />} />
      {location && <Sections location={location} renderNode={renderNode} />}
    </Dialog>
  );
}

function Sections({ location, renderNode }: { location: PlacedLocation; renderNode: (node: LocationNode) => ReactNode }) {
  const [open, setOpen] = useState<readonly SectionName[]>(["location"]);
  const section = (name: SectionName) => ({
    isOpen: open.includes(name),
    onToggle: () => setOpen(open.includes(name) ? open.filter((each) => each !== name) : [...open, name]),
    isKept: true,
  });
  const nodeAt = (serial: string | null) => location.nodes.find(({ serialNumber }) => serialNumber === serial);
  const primary = nodeAt(location.nodeSerialNumber);
  const secondary = nodeAt(location.secondaryNodeSerialNumber);
  const hasSecondary = secondary !== undefined || hasSecondaryNode(location.equipmentType);
  return (
    <>
      <p className="dim place-line">
        <span>
          {location.customerName} / {location.facilityName}
        </span>{" "}
        <TrendsLink location={location} />
      </p>
      <Expander title="Location" {...section("location")}>
        <LocationSection location={location} />
      </Expander>
      <Expander title={`Primary Node${primary ? ` ${primary.serialNumber}` : ""}`} {...section("primary")}>
        {primary ? renderNode(primary) : <p className="dim">No primary node is at this location.</p>}
        <NodeHistory location={location} isSecondary={false} />
      </Expander>
      {hasSecondary && (
        <Expander title={`Secondary Node${secondary ? ` ${secondary.serialNumber}` : ""}`} {...section("secondary")}>
          {secondary ? renderNode(secondary) : <p className="dim">No secondary node is at this location.</p>}
          <NodeHistory location={location} isSecondary />
        </Expander>
      )}
    </>
  );
}

/** The form begins with the location as it was; what was changed since then by others is the server's to find. */
function LocationSection({ location }: { location: PlacedLocation }) {
  const { update } = useLocationChanges();
  const [base, setBase] = useState(location);
  return (
    <LocationFormData>
      {(data) => (
        <LocationForm
          {...data}
          location={base}
          latest={location}
          onLoad={() => setBase(location)}
          onSave={async (values, wiringReason) => {
            // Where it is now, as the form knew it.
            const saved = await update(
              { ...location, revision: base.revision },
              {
                ...changedOf(base, values, data.flags),
                ...wiringReason,
              },
            );
            setBase({ ...base, ...saved });
          }}
        />
      )}
    </LocationFormData>
  );
}
