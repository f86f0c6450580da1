import { listWalk } from "#lib/list-walk.ts";
import { useRowTab } from "./row-tab.ts";
import "./node-link.css";

export const nodePageOf = (serial: string): string => `#/nodes/${serial}`;

export interface NodeLinkProps {
  serial: string;
}

/** A serial number: leads to the page of its node. */
export function NodeLink({ serial }: NodeLinkProps) {
  const tabIndex = useRowTab();
  return (
    <a className="mono node-link" href={nodePageOf(serial)} tabIndex={tabIndex} onClick={listWalk.begin}>
      {serial}
    </a>
  );
}
