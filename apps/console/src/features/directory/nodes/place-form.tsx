import { zodResolver } from "@hookform/resolvers/zod";
import type { FreePlace } from "@busbar/contract/directory/free-places.ts";
import { isDeployedOncePlaced } from "@busbar/contract/directory/locations.ts";
import { WiringReason, type Node } from "@busbar/contract/directory/nodes.ts";
import { deploymentTaskTypes, measuringNodeTypes } from "@busbar/contract/values/option-lists.ts";
import { useEffect, useRef, useState } from "react";
import * as z from "zod/mini";
import { failureMessage } from "#lib/api-error.ts";
import { errorOf } from "#ui/field-error.ts";
import { Notice } from "#ui/notice.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { Select } from "#ui/select.tsx";
import { SelectField } from "#ui/select-field.tsx";
import { TextField } from "#ui/text-field.tsx";
import { useFormField } from "#ui/use-form-field.ts";
import { nodeChoices, wrapperOrder } from "./node-choices.ts";
import { useFreePlaces, usePlaceNode } from "./nodes.queries.ts";
import "./node-form.css";

export interface PlaceFormProps {
  /** At no location. */
  node: Node;
  saveLabel: string;
  onPlaced: () => void;
}

const formFor = (isReasonRequired: boolean) =>
  z.object({
    locationId: z.string().check(z.minLength(1, "Location is required")),
    deploymentTaskType: z.union([z.literal(""), z.enum(deploymentTaskTypes)]),
    wiringReason: WiringReason.check(
      z.refine((text) => !isReasonRequired || text.trim() !== "", "Say why the node is Deployed without a wiring verdict"),
    ),
  });
type Values = z.infer<ReturnType<typeof formFor>>;

const labelOf = ({ locationName, facilityName, customerName }: FreePlace) => `${locationName} · ${facilityName} · ${customerName}`;

/** Puts a node at a location that has none; what kind of deployment that is, the location says. */
export function PlaceForm({ node, saveLabel, onPlaced }: PlaceFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const place = usePlaceNode(node.serialNumber);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<FreePlace | undefined>();
  const { data: places = [], error } = useFreePlaces(text);
  // It was added as Deployed; who becomes Deployed later is at a location already.
  const isDeployed = isDeployedOncePlaced(node) && measuringNodeTypes.includes(node.type);
  const form = useSaveForm<Values>({
    resolver: zodResolver(formFor(isDeployed)),
    defaultValues: { locationId: "", deploymentTaskType: "", wiringReason: "" },
    isQuietAtFirst: true,
  });
  const { control, setValue } = form;
  const [isPlaced, setIsPlaced] = useState(false);
  // Once nothing here is an edit any more: whoever leaves now is not asked.
  useEffect(() => {
    if (isPlaced) onPlaced();
  }, [isPlaced, onPlaced]);
  const location = useFormField({ control, name: "locationId" });
  const offered = chosen && !places.some((each) => each.locationId === chosen.locationId) ? [chosen, ...places] : places;
  const choose = (id: string | null) => {
    const next = offered.find((each) => String(each.locationId) === id);
    setChosen(next);
    location.field.onChange(id ?? "");
    if (node.deploymentTaskType === null) setValue("deploymentTaskType", next?.deploymentTaskType ?? "", { shouldDirty: true });
  };
  useEffect(() => input.current?.focus(), []);

  const save = form.saving(async (values) => {
    await place({
      locationId: Number(values.locationId),
      ...(values.deploymentTaskType === "" ? {} : { deploymentTaskType: values.deploymentTaskType }),
      ...(isDeployed ? { wiringReason: values.wiringReason.trim() } : {}),
    });
    form.reset(values);
    setIsPlaced(true);
    return undefined;
  });

  return (
    <SaveForm form={form} onSubmit={save} saveLabel={saveLabel} label={`Place of node ${node.serialNumber}`}>
      {error && <Notice kind="error">{failureMessage(error)}</Notice>}
      <div className="form-grid place-grid">
        <Select
          {...location.field}
          ref={input}
          label="Location"
          withAsterisk
          aria-required
          searchable
          allowDeselect={false}
          inputWrapperOrder={wrapperOrder}
          description={
            <>
              That has no node yet. One with two nodes takes both in its own form. New ones are added under{" "}
              <a href="#/customers">Customers</a>
            </>
          }
          nothingFoundMessage="No location without a node has such a name"
          data={offered.map((each) => ({ value: String(each.locationId), label: labelOf(each) }))}
          value={location.field.value || null}
          error={errorOf(location.fieldState, location.formState)}
          // The server has looked.
          filter={({ options }) => options}
          onSearchChange={(typed) => {
            // The field shows what was chosen, which is no search.
            if (!offered.some((each) => labelOf(each) === typed)) setText(typed);
          }}
          onChange={choose}
        />
        {node.deploymentTaskType === null && (
          <SelectField
            control={control}
            name="deploymentTaskType"
            label="Deployment Task Version"
            data={nodeChoices("deploymentTaskType", null)}
            placeholder="None"
          />
        )}
        {isDeployed && (
          <TextField
            control={control}
            name="wiringReason"
            label="Reason for Deployed without a wiring verdict"
            inputWrapperOrder={wrapperOrder}
            description="The node is Deployed already. The reason is kept with this change"
            isRequired
          />
        )}
      </div>
    </SaveForm>
  );
}
