import { Notice } from "#ui/notice.tsx";
import { IncidentLink } from "./incident-list.tsx";
import { useOpenIncidents, type IncidentQuery } from "./incidents.queries.ts";

const mostShown = 3;

/** A line that leads to what is open of a node or a facility; nothing where nothing is. */
export function OpenIncidents({ of, all }: { of: Pick<IncidentQuery, "serial" | "facility">; all: string }) {
  const { data = [] } = useOpenIncidents(of);
  if (data.length === 0) return null;
  return (
    <Notice kind="validation">
      {data.length === 1 ? "Open incident: " : "Open incidents: "}
      {data.slice(0, mostShown).map((incident, index) => (
        <span key={incident.id}>
          {index > 0 && ", "}
          <IncidentLink incident={incident} />
          {incident.owner !== "" && <span className="dim"> {incident.owner} looks after it</span>}
        </span>
      ))}
      {data.length > mostShown && (
        <>
          , <a href={all}>all of them</a>
        </>
      )}
    </Notice>
  );
}
