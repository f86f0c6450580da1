import { listWalk } from "#lib/list-walk.ts";
import "./node-link.css";

export const nodePageOf = (serial: string): string => `#/nodes/${serial}`;

export interface NodeLinkProps {
  serial: string;
  /** Where a table or a tree has keys of its own for what is in a row. */
  isInTabOrder?: boolean;
}

/** A serial number: leads to the page of its node. */
export function NodeLink({ serial, isInTabOrder = true }: NodeLinkProps) {
  return (
    <a className="mono node-link" href={nodePageOf(serial)} tabIndex={isInTabOrder ? undefined : -1} onClick={listWalk.begin}>
      {serial}
    </a>
  );
}
