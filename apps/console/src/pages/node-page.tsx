import { isExternalNodeType, isRelayNodeType } from "@busbar/contract/values/option-lists.ts";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { OpenIncidents } from "#features/alarms/incidents/open-incidents.tsx";
import { mutableNode } from "#features/alarms/mutes/mutable.ts";
import { MuteButton, MuteNotices } from "#features/alarms/mutes/mute-control.tsx";
import { SwapNotice } from "#features/directory/node-swap/swap-notice.tsx";
import { MeterGlance } from "#features/telemetry/metering/meter-glance.tsx";
import { WiringPanel } from "#features/telemetry/metering/wiring-panel.tsx";
import { happeningFilters } from "#features/telemetry/node-page/happenings.ts";
import { NodeScreen } from "#features/telemetry/node-page/node-screen.tsx";
import { ScalarSparkline } from "#features/telemetry/scalar-history/scalar-sparkline.tsx";
import { lazyPart } from "#lib/lazy-part.ts";
import { DialogSlot } from "#ui/program-part.tsx";
import { useLinkedDialogs } from "./linked-dialogs.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAddressTexts } from "./use-address-texts.ts";

const NotedHistoryDialog = lazyPart(() => import("./noted-history-dialog.tsx"), "NotedHistoryDialog");

export function NodePage() {
  const { serialNumber = "" } = useParams({ strict: false });
  return (
    <PageFrame title={`Node ${serialNumber}`}>
      <PageOfNode key={serialNumber} serial={serialNumber} />
    </PageFrame>
  );
}

/** So much after a gap is shown with it. */
const afterGapSeconds = 1_800;

interface OpenHistory {
  timezone: string | null;
  before?: number;
}

function PageOfNode({ serial }: { serial: string }) {
  const [{ show }, , goTo] = useAddressTexts(`/nodes/${serial}`, ["show"]);
  const [history, setHistory] = useState<OpenHistory | undefined>();
  const linked = useLinkedDialogs();
  const navigate = useNavigate();
  return (
    <>
      <NodeScreen
        serial={serial}
        filter={happeningFilters.find((filter) => filter === show)}
        onFilter={(filter) => goTo({ show: filter ?? "" })}
        verbs={({ timezone }) => ({
          onHistory: () => setHistory({ timezone }),
          onConfig: () => linked.open({ kind: "node-config", serial }),
          onCredentials: () => linked.open({ kind: "credentials", serial }),
          onEditNode: () => linked.open({ kind: "node", serial }),
          onEditLocation: (locationId) => linked.open({ kind: "location", locationId }),
          onNotes: (locationId) => linked.open({ kind: "location-notes", locationId }),
          onSwap: () => linked.open({ kind: "swap-node", serial }),
        })}
        renderVerbs={(node) => <MuteButton {...mutableNode(node)} />}
        renderNotices={(node) => (
          <>
            <SwapNotice serial={serial} isPlaced={node.locationId !== null} onOpen={() => linked.open({ kind: "swap-node", serial })} />
            <OpenIncidents of={{ serial }} all={`#/incidents?serial=${serial}`} />
            <MuteNotices {...mutableNode(node)} />
          </>
        )}
        onGap={({ timezone, dataInterval }, what, gap) => {
          if (what === "D" || what === "S")
            void navigate({ href: `/node-dashboard/${serial}/files?dataInterval=${dataInterval}&kinds=${what}&scrollPos=${gap.from}` });
          else setHistory({ timezone, before: gap.to + afterGapSeconds });
        }}
        renderNow={({ type, locationId, timezone }) => {
          const hasMeter = !isRelayNodeType(type) && !isExternalNodeType(type);
          return (
            <>
              <MeterGlance serial={serial} locationId={locationId} hasMeter={hasMeter}>
                {(noise) => <ScalarSparkline serial={serial} noise={noise} onOpen={() => setHistory({ timezone })} />}
              </MeterGlance>
              {hasMeter && locationId !== null && <WiringPanel serial={serial} />}
            </>
          );
        }}
      />
      <DialogSlot onClose={() => setHistory(undefined)}>
        {history && <NotedHistoryDialog serial={serial} {...history} onClose={() => setHistory(undefined)} />}
      </DialogSlot>
      {linked.dialogs}
    </>
  );
}
