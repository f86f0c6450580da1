import type { ReactNode } from "react";
import { NotedHistoryDialog } from "./pages/noted-history-dialog.tsx";
import { LinkedDialogFor } from "./pages/linked-dialogs.tsx";
import type { LinkedDialog } from "./pages/linked-dialog.ts";
import { GapDialog } from "#features/telemetry/coverage/gap-dialog.tsx";
import { NoteDialog } from "#features/directory/location-notes/note-dialog.tsx";
import { RawDialog } from "#features/telemetry/metering/raw-dialog.tsx";
import { ResetDialog } from "#features/telemetry/metering/reset-dialog.tsx";
import { pressFirst, type ToPage } from "./testing/walk-presses.tsx";

const serial = "10001";
// The others have long forms, and tests of their own.
const linked: readonly LinkedDialog[] = [
  { kind: "place-node", serial },
  { kind: "node-config", serial },
  { kind: "credentials", serial },
  { kind: "swap-node", serial },
  { kind: "delete-location", locationId: 301 },
  { kind: "move-location", locationId: 301 },
  { kind: "location-notes", locationId: 301 },
];
const timezone = "America/Denver";

// Those of the rooms whose screens are too large to be walked as a whole (`presses-*`): of these what is cheap.
const screens = [
  "/nodes/10001/tasks",
  "/facilities/101",
  "/import?of=places",
  "/deployments",
  "/deployments/10001",
  "/bulk/new?nodes=10001.10003",
  "/bulk/1",
  "/node-dashboard",
  "/node-dashboard/201/10001/metering",
  "/networkconfig",
  "/batches",
  "/batches/new?nodes=10001-10003",
  "/coverage?kind=D&node=10001",
  "/node-dashboard/10001/sensordata/1778770000/0",
];

pressFirst(screens, {
  ...Object.fromEntries(
    linked.map((dialog): [string, (tell: ToPage) => ReactNode] => [
      dialog.kind,
      (tell) => <LinkedDialogFor dialog={dialog} onClose={() => tell("closed")} onOpen={(next) => tell(JSON.stringify(next))} />,
    ]),
  ),
  ...Object.fromEntries(
    ["2026-05-08", "2026-05-14"].map((day): [string, (tell: ToPage) => ReactNode] => [
      `a node's gaps on ${day}`,
      (tell) => (
        <GapDialog
          serial={serial}
          kind="D"
          span={{ from: "2026-05-04", to: "2026-05-14" }}
          day={day}
          onDay={(next) => tell(`day ${next}`)}
          onClose={() => tell("closed")}
        />
      ),
    ]),
  ),
  "a node's history": (tell) => <NotedHistoryDialog serial={serial} timezone={timezone} onClose={() => tell("closed")} />,
  "a note": (tell) => <NoteDialog locationId={301} noteId={2} onClose={() => tell("closed")} />,
  "raw values": (tell) => <RawDialog serial={serial} timezone={timezone} onClose={() => tell("closed")} />,
  "reset of a meter": (tell) => <ResetDialog serial={serial} locationId="301" onClose={() => tell("closed")} onDone={() => tell("done")} />,
});
