import type { SwapPlan } from "@busbar/contract/directory/node-swaps.ts";
import { nodeTypeLabels } from "@busbar/contract/values/option-lists.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { useState, type ReactNode } from "react";
import { Expander } from "#ui/expander.tsx";
import { Notice } from "#ui/notice.tsx";
import { labelOf, valueText } from "./swap-words.ts";

/** What happens to everything that the old node has, before it happens. */
export function SwapPlanFacts({ plan }: { plan: SwapPlan }) {
  const { oldSerialNumber, newSerialNumber, newNode, problem, type, fields, config, noteCount, taskNoteCount, keptFlags } = plan;
  const [isConfigOpen, setIsConfigOpen] = useState(false);
  // What is wrong with the number is said at its field.
  if (newSerialNumber === null || problem !== null) return null;
  const differing = config.filter(({ value, present }) => value !== present);
  return (
    <section aria-label="What changes">
      {newNode === null && (
        <Notice kind="validation">
          There is no node {newSerialNumber} yet. It is added when you swap: {nodeTypeLabels[type as keyof typeof nodeTypeLabels] ?? type},
          like {oldSerialNumber}. It connects once it has credentials.
        </Notice>
      )}
      <ul className="bare-list swap-list">
        <Change
          label={`Node of ${plan.locationName}${plan.isSecondary ? " (secondary)" : ""}`}
          from={oldSerialNumber}
          to={newSerialNumber}
        />
        {(newNode === null || newNode.currentDeploymentStatus === "Unassigned") && (
          <Change label="Deployment Status" from={newNode?.currentDeploymentStatus ?? "(new)"} to="Pre-Deployment" />
        )}
        {fields.map(({ field, from, to }) => (
          <Change key={field} label={labelOf(field)} from={valueText(from)} to={valueText(to)} />
        ))}
        {newNode?.deploymentTaskType !== "RMA" && (
          <Change label="Deployment Task Version" from={newNode?.deploymentTaskType ?? "(none)"} to="RMA" />
        )}
        {taskNoteCount > 0 && <li>{counted(taskNoteCount, "note")} of open tasks are at its tasks too</li>}
        {newNode !== null && newNode.reopenedTaskCount > 0 && (
          <li>{counted(newNode.reopenedTaskCount, "task")} that it completed at an earlier place are open again</li>
        )}
      </ul>
      {config.length === 0 ? (
        <p className="dim">Node {oldSerialNumber} never reported its configuration: there is nothing to copy.</p>
      ) : (
        <Expander
          title={`Configuration: ${counted(config.length, "value")}, ${differing.length} to write`}
          isOpen={isConfigOpen}
          onToggle={() => setIsConfigOpen(!isConfigOpen)}
        >
          <ul className="bare-list swap-list">
            {differing.map(({ key, value, present }) => (
              <Change
                key={key}
                label={<span className="mono">{key}</span>}
                from={present === null ? "(not known)" : valueText(present)}
                to={valueText(value)}
              />
            ))}
          </ul>
        </Expander>
      )}
      <p className="dim">
        Stays with {plan.locationName}: {noteCount === 0 ? "its settings" : `its settings and ${counted(noteCount, "note")}`}. Stays with{" "}
        {oldSerialNumber}: {["files, trends and events of before", ...keptFlags.map(labelOf)].join(", ")}.
      </p>
    </section>
  );
}

function Change({ label, from, to }: { label: ReactNode; from: string; to: string }) {
  return (
    <li>
      {label}: <span className="dim">{from}</span> → <b>{to}</b>
    </li>
  );
}
