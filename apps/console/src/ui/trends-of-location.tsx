import type { LocationNode } from "@busbar/contract/directory/locations.ts";
import { isExternalNodeType, isRelayNodeType } from "@busbar/contract/values/option-lists.ts";
import { Anchor } from "@mantine/core";
import { trendsOf } from "./trends-link.ts";

interface Measured {
  nodes: readonly Pick<LocationNode, "serialNumber" | "type">[];
}

/** The trends of what measures at a location; undefined where there is no node that does. */
export function trendsOfLocation({ nodes }: Measured): string | undefined {
  const measuring = nodes.filter(({ type }) => !isExternalNodeType(type) && !isRelayNodeType(type));
  return measuring.length === 0 ? undefined : trendsOf(measuring.map(({ serialNumber }) => serialNumber));
}

/** Beside what a dialog says of a location. */
export function TrendsLink({ location }: { location: Measured }) {
  const href = trendsOfLocation(location);
  return (
    href !== undefined && (
      <Anchor inherit underline="always" href={href}>
        Trends
      </Anchor>
    )
  );
}
