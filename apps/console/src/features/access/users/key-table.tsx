import type { UserKey } from "@busbar/contract/access/user-keys.ts";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useClock } from "#lib/clock.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { TimeAgo } from "#ui/time-ago.tsx";

export interface ListedKey {
  /** Public part. */
  key: string;
  name: string;
  /** Epoch seconds; NaN when it cannot be read. */
  expiry: number;
  details: UserKey | undefined;
}

export interface KeyTableProps {
  title: string;
  keys: readonly ListedKey[];
  onRevoke: (key: UserKey) => void;
}

export function KeyTable({ title, keys, onRevoke }: KeyTableProps) {
  return (
    <section aria-label={title}>
      <h3 className="section-title">{title}</h3>
      {keys.length === 0 ? (
        <p className="dim">None.</p>
      ) : (
        <div className="key-scroller">
          <table className="key-table">
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">Name</th>
                <th scope="col">Expiry</th>
                <th scope="col">May</th>
                <th scope="col">Last use</th>
                <th scope="col">Revoke</th>
              </tr>
            </thead>
            <tbody>
              {keys.map((each) => (
                <KeyRow key={each.key} listed={each} onRevoke={onRevoke} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function KeyRow({ listed: { key, name, expiry, details }, onRevoke }: { listed: ListedKey; onRevoke: (key: UserKey) => void }) {
  const [isAsking, setIsAsking] = useState(false);
  const isExpired = useClock((now) => expiry <= now);
  return (
    <tr>
      <td className="mono">{key}</td>
      <td>{name}</td>
      <td className="tabular">
        {Number.isNaN(expiry) ? "–" : formatDateTime(expiry)} {isExpired && <b className="bad">expired</b>}
      </td>
      <td>{details?.scopes.join(", ") ?? "–"}</td>
      <td>{details && details.lastUsedTimestamp !== null ? <TimeAgo timestamp={details.lastUsedTimestamp} /> : "Never"}</td>
      <td>
        {details && !isAsking && (
          <Button variant="subtle" color="red" size="compact-sm" onClick={() => setIsAsking(true)} aria-label={`Revoke ${name}`}>
            Revoke
          </Button>
        )}
        {details && isAsking && (
          <>
            <Button color="red.9" size="compact-sm" onClick={() => onRevoke(details)} aria-label={`Revoke ${name} now`}>
              Revoke now
            </Button>{" "}
            <Button variant="subtle" size="compact-sm" onClick={() => setIsAsking(false)} aria-label={`Keep ${name}`}>
              Keep
            </Button>
          </>
        )}
      </td>
    </tr>
  );
}
