import type { FaultLibraryFlag } from "@busbar/contract/alarms/fault-library.ts";
import {
  hasSecondaryNode,
  isDeployedOncePlaced,
  locationNameHelp,
  type AvailableNode,
  type Location,
  type LocationForm as LocationFields,
  type LocationNode,
} from "@busbar/contract/directory/locations.ts";
import { ctLocations, equipmentTypes, loadApplications, starters, voltageTapLocations } from "@busbar/contract/values/option-lists.ts";
import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { FormProvider, useWatch, type Control } from "react-hook-form";
import { enterInstant, type EnteredInstant } from "#lib/entered-instant.ts";
import { serverClock } from "#lib/server-clock.ts";
import { CheckboxField } from "#ui/checkbox-field.tsx";
import { DateTimeField } from "#ui/date-time-field.tsx";
import { FormLine } from "#ui/form-line.tsx";
import { HistoryLink } from "#ui/history-link.tsx";
import { usePutBack } from "#ui/put-back.tsx";
import { useSaveForm } from "#ui/save-form.tsx";
import { SelectField, choicesOf } from "#ui/select-field.tsx";
import { TextField } from "#ui/text-field.tsx";
import { UnsavedEdits } from "#ui/unsaved-edits.tsx";
import { FaultLibrarySection } from "./fault-library-section.tsx";
import { HarmonicSection } from "./harmonic-section.tsx";
import {
  asksForWiringReason,
  locationResolver,
  locationValues,
  readLocation,
  zoneOrUtc,
  type LocationRules,
  type LocationValues,
} from "./location-values.ts";
import { NameplateSection } from "./nameplate-section.tsx";
import { NodeField } from "./node-field.tsx";
import { NodeNotices } from "./node-notices.tsx";
import { TimezoneField } from "./timezone-field.tsx";
import "./locations.css";

export interface LocationFormProps {
  /** The location to change; a new one without. */
  location?: Location;
  /** As it is now, whoever saved it. */
  latest?: Location;
  onLoad?: () => void;
  flags: readonly FaultLibraryFlag[];
  /** CUS-13 */
  availableNodes: readonly AvailableNode[];
  /** With why a node that comes is Deployed already, where it is. */
  onSave: (location: LocationFields, wiringReason: { wiringReason?: string }) => Promise<void>;
  /** A new location is added once: nothing more can be saved, and this is called when its success has been read. */
  onDone?: () => void;
}

/** CUS-09 to CUS-15 */
export function LocationForm({ location, latest, onLoad, flags, availableNodes, onSave, onDone }: LocationFormProps) {
  const [entered, setEntered] = useState(() => startOf(location));
  const nodes: (AvailableNode | LocationNode)[] = [...(location?.nodes ?? []), ...availableNodes].toSorted((a, b) =>
    a.serialNumber < b.serialNumber ? -1 : 1,
  );
  const nodeTypeOf = (serial: string) => nodes.find(({ serialNumber }) => serialNumber === serial)?.type;
  const isNew = location === undefined;
  const old = usePutBack(`location/${location?.id}`);
  const isDeployed = (serial: string) => nodes.some((each) => each.serialNumber === serial && isDeployedOncePlaced(each));
  const rules = { entered, nodeTypeOf, isDeployed, location };
  const { saving, outcome, bar, reloadOf, ...form } = useSaveForm<LocationValues>({
    resolver: locationResolver(rules),
    defaultValues: locationValues(location, flags, entered),
    putBack: location && old && locationValues({ ...location, ...old }, flags, entered),
    fieldNames: { equipmentStartTimestamp: "equipmentStart" },
  });

  const save = saving(
    async (values) => {
      const { location: read } = readLocation(values, rules);
      if (!read) return undefined;
      await onSave(read, asksForWiringReason(values, rules) ? { wiringReason: values.wiringReason.trim() } : {});
      form.reset(values);
      return "Location/Equipment saved successfully";
    },
    () => outcome.say({ kind: "validation", text: "Please correct the fields marked with red X and save again" }),
  );

  const reload = reloadOf({
    noun: "location",
    saved: location,
    latest,
    valuesOf: (item) => locationValues(item, flags, startOf(item)),
    onLoad: (item) => {
      setEntered(startOf(item));
      onLoad?.();
    },
  });

  return (
    <FormProvider {...form}>
      <form
        className="location-form"
        onSubmit={(event) => (bar.isWorking ? event.preventDefault() : void save(event))}
        noValidate
        aria-label="Location"
      >
        <EquipmentSection control={form.control} entered={entered} nodes={nodes} />
        <NodeNotices control={form.control} location={location} nodes={nodes} />
        <WiringReasonField control={form.control} rules={rules} />
        <NameplateSection nodeTypeOf={nodeTypeOf} />
        <BillingSection control={form.control} />
        {!isNew && <FaultLibrarySection flags={flags} />}
        {!isNew && <HarmonicSection />}
        <UnsavedEdits when={bar.hasEdits} />
        <FormLine line={outcome} reload={reload} isWorking={bar.isWorking} onCleared={onDone} />
        <Group justify={location ? "space-between" : "flex-end"} mt="sm">
          {location && <HistoryLink object={`location/${location.id}`} />}
          {!onDone && (
            <Button type="submit" disabled={bar.isWorking} loading={bar.isWorking}>
              Save
            </Button>
          )}
        </Group>
      </form>
    </FormProvider>
  );
}

const startOf = (location: Location | undefined): EnteredInstant =>
  enterInstant(location?.equipmentStartTimestamp ?? Math.floor(serverClock.nowSeconds()), zoneOrUtc(location?.timezone ?? ""));

// Help below: the inputs of a row are on one line.
const labelFirst: ("label" | "input" | "description" | "error")[] = ["label", "input", "description", "error"];

interface EquipmentSectionProps {
  control: Control<LocationValues>;
  entered: EnteredInstant;
  nodes: readonly (AvailableNode | LocationNode)[];
}

function EquipmentSection({ control, entered, nodes }: EquipmentSectionProps) {
  const [equipmentType, timezone] = useWatch({ control, name: ["equipmentType", "timezone"] });
  return (
    <fieldset className="location-section">
      <legend>Equipment</legend>
      <div className="location-grid">
        <TextField
          control={control}
          name="name"
          label="Name"
          description={locationNameHelp}
          inputWrapperOrder={labelFirst}
          isRequired
          data-autofocus
        />
        <SelectField control={control} name="equipmentType" label="Equipment Type" data={equipmentTypes} isRequired />
        <TimezoneField entered={entered} />
        <NodeField
          name="nodeSerialNumber"
          other="secondaryNodeSerialNumber"
          label="Node Serial Number"
          isRequired={hasSecondaryNode(equipmentType)}
          nodes={nodes}
        />
        {hasSecondaryNode(equipmentType) && (
          <NodeField
            name="secondaryNodeSerialNumber"
            other="nodeSerialNumber"
            label="Secondary Node Serial Number"
            isRequired
            nodes={nodes}
          />
        )}
        <DateTimeField
          control={control}
          name="equipmentStart"
          label="Equipment Start"
          timezone={zoneOrUtc(timezone)}
          original={entered}
          isRequired
        />
        <TextField control={control} name="assetLocationNumber" label="Asset Location Number" />
        <TextField control={control} name="customerXRefId" label="Customer Cross Reference" />
        <SelectField control={control} name="starter" label="Starter" data={choicesOf(starters)} />
        <SelectField control={control} name="loadApplication" label="Load Application" data={choicesOf(loadApplications)} />
        <SelectField control={control} name="voltageTapLocation" label="Voltage Tap Location" data={choicesOf(voltageTapLocations)} />
        <SelectField control={control} name="ctLocation" label="CT Location" data={choicesOf(ctLocations)} />
        <TextField control={control} name="channels" label="Channels" />
      </div>
      <CheckboxField
        control={control}
        name="notifyMissedData"
        label="Notify Missed Data"
        description="Internal notices are sent if no data files arrive for over four hours"
        mt="sm"
      />
    </fieldset>
  );
}

/** A node that comes from the shelf as Deployed: no one has seen how it is wired here. */
function WiringReasonField({ control, rules }: { control: Control<LocationValues>; rules: LocationRules }) {
  const [nodeSerialNumber, equipmentType] = useWatch({ control, name: ["nodeSerialNumber", "equipmentType"] });
  if (!asksForWiringReason({ nodeSerialNumber, equipmentType }, rules)) return null;
  return (
    <TextField
      control={control}
      name="wiringReason"
      label="Reason for Deployed without a wiring verdict"
      description={`Node ${nodeSerialNumber} is Deployed already. The reason is kept with this change`}
      inputWrapperOrder={labelFirst}
      isRequired
    />
  );
}

function BillingSection({ control }: { control: Control<LocationValues> }) {
  return (
    <fieldset className="location-section">
      <legend>Billing</legend>
      <div className="location-grid">
        <TextField control={control} name="billingStartDate" label="Billing Start Date" placeholder="YYYY-MM-DD" />
        <TextField control={control} name="billingEndDate" label="Billing End Date" placeholder="YYYY-MM-DD" />
        <TextField control={control} name="paidThruDate" label="Paid Thru Date" placeholder="YYYY-MM-DD" />
      </div>
    </fieldset>
  );
}
