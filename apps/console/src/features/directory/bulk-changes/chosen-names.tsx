import type { BulkKind } from "@busbar/contract/directory/bulk-changes.ts";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { useChosenNames } from "./bulk-changes.queries.ts";
import { nouns, pageOf } from "./bulk-words.ts";
import "#ui/node-range.css";

const namedAtOnce = 3;

/** Which locations or users are chosen, in the order of their names, behind one line: there may be thousands. */
export function ChosenNames({ kind, ids }: { kind: Exclude<BulkKind, "nodes">; ids: readonly string[] }) {
  const asked = useChosenNames(kind, ids);
  const { data: names } = asked;
  const noun = nouns[kind];
  if (!names) return <Loaded of={asked} loading={<LoadingForm label={`Loading the names of the ${noun}s`} fields={1} />} />;
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
