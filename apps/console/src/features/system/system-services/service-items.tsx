import { IconChevronRight } from "@tabler/icons-react";
import { useId, useState } from "react";
import { Fact, Facts } from "#ui/facts.tsx";
import { formatCount } from "#lib/format-number.ts";
import { serviceTime } from "#lib/service-time.ts";
import { cellOf } from "#ui/column.ts";
import { serviceColumns, type NamedService } from "./service-columns.tsx";
import { FailingFor, RunWords, StateBadge, WorkWords } from "./service-state.tsx";

/** Pixels of a closed row, with its line; also system-services.css. */
export const serviceItemHeight = 50;
/** In the row itself. */
const namedInRow = ["Service", "State"];

/** What the table shows, on a narrow screen: a row for each service that opens to everything about it. */
export function ServiceItems({ rows }: { rows: readonly NamedService[] }) {
  return (
    <ul className="bare-list service-items" aria-label="Services">
      {rows.map((row) => (
        <ServiceItem key={row.name} {...row} />
      ))}
    </ul>
  );
}

function ServiceItem(row: NamedService) {
  const { name, service } = row;
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li>
      <button
        type="button"
        className="plain-button service-item"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconChevronRight size={15} aria-hidden className={isOpen ? "is-open" : ""} />
        <b>{name}</b>
        <StateBadge service={service} />
        <span className="service-line dim">
          <FailingFor service={service} /> {service.waiting && `${formatCount(service.waiting.count)} waiting, `}
          <RunWords service={service} otherwise={service.isScheduledService ? `every ${serviceTime(service.interval)}` : "continuous"} />
        </span>
      </button>
      <div id={id} hidden={!isOpen} className="service-facts">
        {isOpen && <ServiceFacts {...row} />}
      </div>
    </li>
  );
}

function ServiceFacts(row: NamedService) {
  return (
    <>
      <Facts>
        {serviceColumns
          .filter(({ label }) => !namedInRow.includes(label))
          .map((column) => (
            <Fact key={column.label} name={column.label}>
              {cellOf(column, row, undefined)}
            </Fact>
          ))}
      </Facts>
      <div className="service-work dim">
        <WorkWords service={row.service} />
      </div>
    </>
  );
}
