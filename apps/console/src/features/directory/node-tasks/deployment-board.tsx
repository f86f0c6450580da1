import { counted } from "@busbar/contract/values/counted.ts";
import { deploymentStates, deploymentTurns, type Deployment } from "@busbar/contract/directory/deployments.ts";
import { Button } from "@mantine/core";
import { useState } from "react";
import { formatDateTime } from "#lib/format-date.ts";
import { formatCount } from "#lib/format-number.ts";
import { ChoiceBar } from "#ui/choice-bar.tsx";
import type { Column } from "#ui/column.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { ListCount } from "#ui/list-count.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { NativeSelect } from "#ui/native-select.tsx";
import { saveRows } from "#ui/save-rows.ts";
import { SearchField } from "#ui/search-field.tsx";
import { DeploymentCard } from "./deployment-card.tsx";
import {
  byFacility,
  firstFacilities,
  matching,
  noDeploymentFilter,
  stateLabels,
  turnLabels,
  type DeploymentFacility,
  type DeploymentFilter,
} from "./deployment-groups.ts";
import { stateShapes } from "./deployment-shapes.ts";
import { useDeployments } from "./deployments.queries.ts";
import { labelOfId } from "./task-names.ts";
import "./deployments.css";

export interface DeploymentBoardProps {
  filter: DeploymentFilter;
  /** What is typed or chosen. */
  onFilter: (filter: DeploymentFilter) => void;
}

/** All open deployments by facility: how far they are, what is in the way, and whose turn it is. */
export function DeploymentBoard({ filter, onFilter }: DeploymentBoardProps) {
  const asked = useDeployments();
  const { data } = asked;
  return (
    <>
      <h1 className="page-title">Deployments</h1>
      <Loaded
        of={asked}
        loading={<LoadingRows label="Loading the deployments" rows={6} height={120} narrowHeight={140} frame="list" hasCount />}
      />
      {data && <Board {...data} filter={filter} onFilter={onFilter} />}
    </>
  );
}

const timeOf = (timestamp: number | null, { timezone }: Deployment): string =>
  timestamp === null ? "" : formatDateTime(timestamp, timezone ?? "UTC");

/** Of the file. */
export const fileColumns: readonly Column<Deployment>[] = [
  { label: "Node", text: ({ serialNumber }) => serialNumber },
  { label: "Customer", text: ({ customerName }) => customerName },
  { label: "Facility", text: ({ facilityName }) => facilityName },
  { label: "Location", text: ({ locationName }) => locationName },
  { label: "State", text: ({ state }) => stateLabels[state] },
  { label: "Reason", text: ({ reason }) => reason },
  { label: "Turn", text: ({ turn }) => turnLabels[turn] },
  { label: "Task", text: ({ taskTemplateId }) => labelOfId(taskTemplateId) },
  { label: "Task Name", text: ({ taskName }) => taskName },
  { label: "Completed", text: ({ completed }) => completed },
  { label: "Of", text: ({ total }) => total },
  { label: "Open Since", text: (each) => timeOf(each.sinceTimestamp, each) },
  { label: "Last By", text: ({ movedBy }) => movedBy },
  { label: "Last", text: (each) => timeOf(each.movedTimestamp, each) },
  { label: "Planned", text: (each) => timeOf(each.plannedTimestamp, each) },
];

/** More of them are not looked through card by card. */
const cardsAtOnce = 200;

function Board({ deployments, total, filter, onFilter }: DeploymentBoardProps & { deployments: readonly Deployment[]; total: number }) {
  const [most, setMost] = useState(cardsAtOnce);
  const set = (part: Partial<DeploymentFilter>) => onFilter({ ...filter, ...part });
  const found = matching(deployments, filter);
  const shown = filter.state === "" ? found : found.filter(({ state }) => state === filter.state);
  const facilities = byFacility(shown);
  const first = firstFacilities(facilities, most);
  const isFiltered = Object.values(filter).some((text) => text !== "");
  return (
    <>
      <Tools deployments={deployments} found={found} filter={filter} set={set} />
      <ListCount
        shown={shown.length}
        total={total}
        noun="open deployment"
        isFiltered={isFiltered}
        onClear={() => onFilter(noDeploymentFilter)}
        onExport={() => saveRows("deployments.csv", fileColumns, shown)}
      />
      {shown.length === 0 && (
        <EmptyState title={isFiltered ? "No open deployment matches" : "No deployment is open"}>
          {isFiltered ? (
            <Button variant="default" onClick={() => onFilter(noDeploymentFilter)}>
              Show all
            </Button>
          ) : (
            <p>A node in Pre-Deployment is listed here until its last task is completed and it is Deployed.</p>
          )}
        </EmptyState>
      )}
      {shown.length > 0 && <StateHeads filter={filter} />}
      {first.map((facility) => (
        <Facility key={facility.key} facility={facility} />
      ))}
      {first.length < facilities.length && (
        <p>
          <Button variant="default" onClick={() => setMost(most + cardsAtOnce)}>
            Show more
          </Button>{" "}
          {formatCount(first.length)} of {counted(facilities.length, "facility", "facilities")} are shown
        </p>
      )}
    </>
  );
}

interface ToolsProps {
  deployments: readonly Deployment[];
  found: readonly Deployment[];
  filter: DeploymentFilter;
  set: (part: Partial<DeploymentFilter>) => void;
}

function Tools({ deployments, found, filter, set }: ToolsProps) {
  const people = [...new Set(deployments.map(({ movedBy }) => movedBy))].filter(Boolean).toSorted();
  const facility = deployments.find(({ facilityId }) => String(facilityId) === filter.facility);
  const states = deploymentStates.map((value) => {
    const count = found.filter(({ state }) => state === value).length;
    return { value, label: `${stateShapes[value].shape} ${stateLabels[value]} ${formatCount(count)}` };
  });
  return (
    <search className="list-tools deployment-tools no-print">
      <ChoiceBar
        label="State"
        size="compact-sm"
        choices={[{ value: "", label: `All ${formatCount(found.length)}` }, ...states]}
        value={filter.state}
        onChoose={(state) => set({ state })}
      />
      <SearchField label="Facility/Location/Serial/Task" value={filter.find} onChange={(find) => set({ find })} />
      <NativeSelect
        aria-label="Whose turn"
        data={[{ value: "", label: "Anyone's turn" }, ...deploymentTurns.map((value) => ({ value, label: turnLabels[value] }))]}
        value={filter.turn}
        onChange={({ currentTarget }) => set({ turn: currentTarget.value })}
      />
      <NativeSelect
        aria-label="Person who was last at it"
        data={[{ value: "", label: "Last by anyone" }, ...people.map((value) => ({ value, label: `Last by ${value}` }))]}
        value={filter.person}
        onChange={({ currentTarget }) => set({ person: currentTarget.value })}
      />
      {filter.facility !== "" && (
        <Button variant="default" size="compact-sm" onClick={() => set({ facility: "" })}>
          Only {facility?.facilityName ?? "one facility"} ✕
        </Button>
      )}
    </search>
  );
}

/** Over the columns on a wide screen; a card says its state itself where there are none. */
function StateHeads({ filter }: { filter: DeploymentFilter }) {
  return (
    <div className="deployment-columns deployment-heads" aria-hidden="true" data-state={filter.state}>
      {deploymentStates.map((state) => (
        <span key={state}>
          <span className={stateShapes[state].className}>{stateShapes[state].shape}</span> {stateLabels[state]}
        </span>
      ))}
    </div>
  );
}

function Facility({ facility: { facilityId, facilityName, customerName, deployments } }: { facility: DeploymentFacility }) {
  const name = facilityName || "At no facility";
  return (
    <section className="deployment-facility" aria-label={name}>
      <h2>
        {facilityId === null ? name : <a href={`#/facilities/${facilityId}`}>{name}</a>}{" "}
        <span className="dim">
          {customerName !== "" && `${customerName}, `}
          {counted(deployments.length, "node")}
        </span>
      </h2>
      <div className="deployment-columns">
        {deploymentStates.map((state) => {
          const cards = deployments.filter((each) => each.state === state);
          return (
            cards.length > 0 && (
              <ul key={state} aria-label={stateLabels[state]} className="bare-list deployment-cards" data-state={state}>
                {cards.map((each) => (
                  <DeploymentCard key={each.serialNumber} deployment={each} />
                ))}
              </ul>
            )
          );
        })}
      </div>
    </section>
  );
}
