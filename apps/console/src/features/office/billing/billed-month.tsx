import { Month, type BilledMonth as BilledMonthData } from "@busbar/contract/office/billing.ts";
import { counted } from "@busbar/contract/values/counted.ts";
import { TextInput } from "@mantine/core";
import { useState } from "react";
import { Expander } from "#ui/expander.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
import { useBilledMonth } from "./billing.queries.ts";

type Organization = BilledMonthData["organizations"][number];
type Location = Organization["locations"][number];

/** Whether a month is billed once, for each organization, and what is not. */
export function BilledMonth() {
  const [text, setText] = useState(() => new Date().toISOString().slice(0, 7));
  const isMonth = Month.safeParse(text).success;
  const asked = useBilledMonth(text, isMonth);
  return (
    <section className="no-print" aria-label="Months">
      <h2 className="section-title">Is a month billed?</h2>
      <TextInput
        label="Month"
        placeholder="YYYY-MM"
        value={text}
        onChange={(event) => setText(event.currentTarget.value.trim())}
        error={isMonth ? undefined : "A month is such as 2026-12"}
        className="bill-month"
      />
      {isMonth && (
        <Loaded of={asked} loading={<LoadingRows label="Loading the month" rows={2} height={24} />}>
          {({ organizations }) =>
            organizations.length === 0 ? (
              <p>No location is to be billed in {text}.</p>
            ) : (
              organizations.map((organization) => <OrganizationMonth key={organization.name} organization={organization} />)
            )
          }
        </Loaded>
      )}
    </section>
  );
}

function OrganizationMonth({ organization: { name, locations } }: { organization: Organization }) {
  const [isOpen, setOpen] = useState(false);
  const others = locations.filter(({ status }) => status !== "once");
  return (
    <>
      <p>
        <strong>{name}</strong>: {summary(locations)}
      </p>
      {others.length > 0 && (
        <Expander title={`Exceptions of ${name}`} isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
          <DataTable aria-label={`${name}: not billed once`} columns={billedColumns} rows={others} keyOf={(row) => row.locationId} />
        </Expander>
      )}
    </>
  );
}

const words: [Location["status"], string][] = [
  ["once", "billed once"],
  ["more than once", "billed more than once"],
  ["in part", "billed in part"],
  ["not", "not billed"],
];

function summary(locations: readonly Location[]): string {
  const counts = words.map(([status, text]) => [locations.filter((location) => location.status === status).length, text] as const);
  const said = counts.filter(([count]) => count > 0).map(([count, text]) => `${count} ${text}`);
  return `of ${counted(locations.length, "location")} ${said.join(", ")}`;
}

export const billedColumns: readonly Column<Location>[] = [
  { label: "Facility", text: (row) => `${row.customerName}, ${row.facilityName}` },
  { label: "Location", text: (row) => row.locationName },
  { label: "Billed", text: (row) => row.status },
  { label: "Bill #", text: (row) => row.bills.join(", ") || "–" },
];
