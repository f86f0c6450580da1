import type { BulkKind } from "@busbar/contract/directory/bulk-changes.ts";
import { failureMessage } from "#lib/api-error.ts";
import { FailureState } from "#ui/data-states.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { useChosenNames } from "./bulk-changes.queries.ts";
import { nouns, pageOf } from "./bulk-words.ts";
import "#ui/node-range.css";

const namedAtOnce = 3;

/** Which locations or users are chosen, in the order of their names, behind one line: there may be thousands. */
export function ChosenNames({ kind, ids }: { kind: Exclude<BulkKind, "nodes">; ids: readonly string[] }) {
  const { data: names, error, refetch } = useChosenNames(kind, ids);
  const noun = nouns[kind];
  if (!names && error) return <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />;
  if (!names) return <LoadingForm label={`Loading the names of the ${noun}s`} fields={1} />;
  const named = ids
    .map((id) => ({ id, ...(names.get(id) ?? { name: `${noun === "user" ? "User" : "Location"} ${id}`, place: "" }) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  const more = named.length - namedAtOnce;
  return (
    <details className="node-range">
      <summary>
        {named
          .slice(0, namedAtOnce)
          .map(({ name }) => name)
          .join(", ")}
        {more > 0 && ` and ${more.toLocaleString("en-US")} more`}
      </summary>
      <ul>
        {named.map(({ id, name, place }) => (
          <li key={id}>
            <a href={pageOf(`${noun}/${id}`, name)}>{name}</a> <span className="dim">{place}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
