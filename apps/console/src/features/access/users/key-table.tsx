import type { UserKey } from "@busbar/contract/access/user-keys.ts";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useClock } from "#lib/clock.ts";
import { formatDateTime } from "#lib/format-date.ts";
import type { Column } from "#ui/column.ts";
import { DataTable } from "#ui/data-table.tsx";
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
  onRevoke: OnRevoke;
}

export function KeyTable({ title, keys, onRevoke }: KeyTableProps) {
  return (
    <section aria-label={title}>
      <h3 className="section-title">{title}</h3>
      {keys.length === 0 ? (
        <p className="dim">None.</p>
      ) : (
        <DataTable columns={keyColumns} rows={keys} keyOf={({ key }) => key} on={onRevoke} />
      )}
    </section>
  );
}

type OnRevoke = (key: UserKey) => void;

export const keyColumns: readonly Column<ListedKey, OnRevoke>[] = [
  { label: "Key", text: ({ key }) => key, className: "mono" },
  { label: "Name", text: ({ name }) => name },
  {
    label: "Expiry",
    text: ({ expiry }) => (Number.isNaN(expiry) ? "–" : formatDateTime(expiry)),
    cell: ({ expiry }) => <Expiry expiry={expiry} />,
    className: "tabular",
  },
  { label: "Scope", text: ({ details }) => details?.scopes.join(", ") ?? "–" },
  {
    label: "Last use",
    text: ({ details }) => details?.lastUsedTimestamp ?? null,
    cell: ({ details }) => (details && details.lastUsedTimestamp !== null ? <TimeAgo timestamp={details.lastUsedTimestamp} /> : "Never"),
  },
  {
    label: "Revoke",
    isHeadHidden: true,
    text: () => "",
    cell: ({ name, details }, onRevoke) => details && <RevokeButton name={name} onRevoke={() => onRevoke(details)} />,
  },
];

function Expiry({ expiry }: { expiry: number }) {
  const isExpired = useClock((now) => expiry <= now);
  return (
    <span>
      {Number.isNaN(expiry) ? "–" : formatDateTime(expiry)} {isExpired && <b className="bad">expired</b>}
    </span>
  );
}

function RevokeButton({ name, onRevoke }: { name: string; onRevoke: () => void }) {
  const [isAsking, setIsAsking] = useState(false);
  if (!isAsking) {
    return (
      <Button variant="subtle" color="red" size="compact-sm" onClick={() => setIsAsking(true)} aria-label={`Revoke ${name}`}>
        Revoke
      </Button>
    );
  }
  return (
    <span>
      <Button color="red.9" size="compact-sm" onClick={onRevoke} aria-label={`Revoke ${name} now`}>
        Revoke now
      </Button>{" "}
      <Button variant="subtle" size="compact-sm" onClick={() => setIsAsking(false)} aria-label={`Keep ${name}`}>
        Keep
      </Button>
    </span>
  );
}
