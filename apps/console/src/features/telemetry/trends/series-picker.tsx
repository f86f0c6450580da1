import { quantities, quantityGroups, quantityOf } from "@busbar/contract/telemetry/quantities.ts";
import type { SeriesName } from "@busbar/contract/telemetry/trends.ts";
import { maxFindText, wordsOfFound } from "@busbar/contract/system/find.ts";
import { IconCpu, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { holdsWords } from "#lib/holds-words.ts";
import { NativeSelect } from "#ui/native-select.tsx";
import { SearchPalette } from "#ui/search-palette.tsx";
import { splitSearch } from "./series-search.ts";
import { seriesKey } from "./trend-address.ts";
import { quantityName } from "./trend-words.ts";
import { useFoundNodes } from "./trends.queries.ts";
import "./series-picker.css";

export interface SeriesPickerProps {
  /** Those that are shown, each with its machine's name. */
  shown: readonly (SeriesName & { machine: string })[];
  /** What is proposed of a machine. */
  quantity: string;
  onAdd: (series: SeriesName) => void;
  onClose: () => void;
}

const groupNames: Record<(typeof quantityGroups)[number], string> = {
  current: "Current",
  voltage: "Voltage",
  power: "Power",
  quality: "Power quality",
  operation: "Operation",
  field: "Field",
  harmonics: "Harmonics",
};

const choices = quantityGroups.map((group) => ({
  group: groupNames[group],
  items: quantities
    .filter((quantity) => quantity.group === group)
    .map(({ id, name, unit }) => ({ value: id, label: unit ? `${name} (${unit})` : name })),
}));

/** A machine by parts of its words, and what of it: words of a quantity may be among them. */
export function SeriesPicker({ shown, quantity, onAdd, onClose }: SeriesPickerProps) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(quantity);
  const { machine, quantities: named } = splitSearch(typed);
  const { data: found = [], error } = useFoundNodes(machine);
  const wanted = named.length > 0 ? named : [chosen];
  const known = new Set(shown.map(seriesKey));
  const machines =
    machine === ""
      ? [...new Map(shown.map(({ serialNumber, machine: name }) => [serialNumber, { serialNumber, name, detail: serialNumber }])).values()]
      : found
          .filter((each) => holdsWords(each, machine))
          .map((each) => ({
            serialNumber: each.id,
            name: each.locationName === "" ? `Node ${each.id}` : each.locationName,
            detail: [wordsOfFound(each).name, each.facilityName, each.customerName].filter(Boolean).join(", "),
          }));
  const options = machines
    .flatMap(({ serialNumber, name, detail }) =>
      wanted
        .map((each) => ({ serialNumber, quantity: each }))
        .map((series) => ({ series, icon: machine === "" ? IconPlus : IconCpu, label: `${name} · ${quantityName(series)}`, detail })),
    )
    .filter(({ series }) => !known.has(seriesKey(series)));
  return (
    <SearchPalette
      title="Add series"
      placeholder="Machine, serial number or place…"
      typed={typed}
      maxLength={maxFindText}
      onTyped={setTyped}
      beside={
        <NativeSelect
          aria-label="Quantity"
          className="picker-quantity"
          data={choices}
          value={named[0] ?? chosen}
          disabled={named.length > 0}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
      }
      error={error}
      items={options}
      keyOf={({ series }) => seriesKey(series)}
      onChoose={({ series }) => onAdd(series)}
      note={options.length === 0 ? noneText(machine, typed, quantityOf(chosen)?.name ?? "") : undefined}
      onClose={onClose}
    />
  );
}

function noneText(machine: string, typed: string, name: string): string {
  if (typed.trim() === "") return "Type a part of the name of a machine or of its place, or a serial number.";
  return machine.length < 2 ? "Type at least two letters." : `No machine “${machine}”, or its ${name.toLowerCase()} is shown already.`;
}
