import type { Activity } from "@busbar/contract/system/feeds.ts";
import { MantineProvider } from "@mantine/core";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { theme } from "#ui/theme.ts";
import { ActivityTable } from "./activity-table.tsx";

test("an activity leads to the event of its file, to the node that it is by, and else nowhere", async () => {
  const activity = (object: string, actorType = "User", actor = "kim"): Activity => ({
    timestamp: 1_790_000_000,
    actorType,
    actor,
    action: "UPLOAD",
    object,
    description: `About ${object}`,
  });
  const event = "11001_20261122T054000Z_E0001.cfg";
  const screen = await render(
    <MantineProvider theme={theme}>
      <ActivityTable
        activities={[
          activity(event),
          activity("11001_20261122T054000Z_D0900.txt", "Node", "11001"),
          activity("node/11001", "Node", "of before"),
          activity(""),
        ]}
      />
    </MantineProvider>,
  );
  const links = screen.getByRole("link").elements();
  expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
    [`About ${event}`, `#/activity/eventfiles/${event}`],
    ["11001", "#/nodes/11001"],
  ]);
});
