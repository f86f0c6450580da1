import type { Service, WaitingWork } from "@busbar/contract/system/system-services.ts";
import type { Column } from "#ui/column.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { DataTable } from "#ui/data-table.tsx";
import { DateTime } from "#ui/date-time.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { isMessageSubject, SubjectLink } from "#ui/subject-link.tsx";
import { useWaitingWork } from "./system-services.queries.ts";

export const waitingColumns: readonly Column<WaitingWork>[] = [
  {
    label: "Item",
    text: ({ kind, item }) => `${kind} ${item}`,
    cell: ({ kind, item }) => (isMessageSubject(kind) ? <SubjectLink subject={{ kind, id: item }} /> : `${kind} ${item}`),
    className: "service-waiting-text",
  },
  { label: "Reason", text: ({ reason }) => reason, className: "service-waiting-text" },
  { label: "Since", text: ({ since }) => since, cell: ({ since }) => <DateTime timestamp={since} timezone={null} /> },
  { label: "Tries", text: ({ tries }) => tries },
  {
    label: "Next Try",
    text: ({ nextTry }) => nextTry ?? "–",
    cell: ({ nextTry }) => (nextTry === null ? "–" : <DateTime timestamp={nextTry} timezone={null} />),
  },
];

export interface WaitingDialogProps {
  name: string;
  service: Service | undefined;
  onClose: () => void;
}

/** what a service has left for later, since when and why. */
export function WaitingDialog({ name, service, onClose }: WaitingDialogProps) {
  const asked = useWaitingWork(name);
  const { data } = asked;
  const count = service?.waiting?.count ?? 0;
  return (
    <Dialog title={`Waiting for ${name}`} onClose={onClose}>
      <Loaded of={asked} loading={<LoadingRows label="Loading what waits" rows={4} height={30} />} />
      {data?.length === 0 && <EmptyState title="Nothing waits any more" />}
      {data && data.length > 0 && (
        <>
          {count > data.length && (
            <p>
              The oldest {data.length} of {count.toLocaleString("en-US")}:
            </p>
          )}
          <DataTable aria-label="Waiting items" columns={waitingColumns} rows={data} keyOf={({ kind, item }) => `${kind} ${item}`} />
        </>
      )}
    </Dialog>
  );
}
