import { homeNeedKinds, homeNeeds, type HomeNeed } from "@busbar/contract/system/home-needs.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { NeedsYou } from "./needs-you.tsx";

async function open(answer: () => HomeNeed[], newVersion?: number) {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={queries}>
        <ApiContext value={fakeApi({ "GET /home/needs": answer }).call}>
          <NeedsYou newVersion={newVersion} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { screen, queries };
}
const lines = () =>
  [...document.querySelectorAll(".needs-list li")].map((line) => [
    line.textContent,
    line.querySelector("span")?.className,
    line.querySelector("a")?.getAttribute("href"),
  ]);
const needs = (count: number) => homeNeedKinds.map((kind) => ({ kind, count, gravity: homeNeeds[kind].gravity }));

test("each kind of need is a sentence in its number that leads to where it is seen to", async () => {
  let answer = needs(2);
  const { screen, queries } = await open(() => answer);
  await expect.element(screen.getByText("The platform does not listen to its nodes")).toBeVisible();
  expect(lines()).toEqual([
    ["▲ The platform does not listen to its nodes", "bad", "#/node-dashboard?verdict=unknown"],
    ["▲ 2 facilities have an outage", "bad", "#/node-dashboard?verdict=outage&sort=gravity"],
    ["▲ 2 open incidents that no one has acknowledged", "bad", "#/incidents?state=new"],
    ["▲ 2 nodes ask for action", "bad", "#/node-dashboard?verdict=refused,away,silent,sensor,alarm&sort=gravity"],
    ["▲ 2 services fail", "bad", "#/system/services"],
    ["▲ 2 messages could not be sent", "bad", "#/notifications"],
    ["◆ 2 trips in the last day", "warn", "#/events?kind=trip"],
    ["◆ 2 deployments have an issue", "warn", "#/nodes"],
    ["○ 2 nodes change their status within a day", "dim", "#/nodes?show=Deployed,Pre-Deployment,Unassigned,Decommissioned&sort=awaiting"],
    ["○ 2 bills are due", "dim", "#/accounts/billing"],
  ]);
  answer = needs(1);
  await queries.refetchQueries();
  await expect.element(screen.getByText("1 facility has an outage")).toBeVisible();
  expect(lines().map(([text]) => text?.slice(2))).toEqual([
    "The platform does not listen to its nodes",
    "1 facility has an outage",
    "1 open incident that no one has acknowledged",
    "1 node asks for action",
    "1 service fails",
    "1 message could not be sent",
    "1 trip in the last day",
    "1 deployment has an issue",
    "1 node changes its status within a day",
    "1 bill is due",
  ]);
});

test("nothing needs anyone, and since when; a failure is said, and leaves what is known", async () => {
  let failure: Error | undefined = new ApiError(503, "AWAY", "The database is away.");
  const { screen, queries } = await open(() => {
    if (failure) throw failure;
    return [];
  });
  await expect.element(screen.getByRole("alert").getByText("The database is away.")).toBeVisible();
  failure = undefined;
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByText("Nothing needs you.")).toBeVisible();
  await expect.element(screen.getByText("Looked at just now", { exact: true })).toBeVisible();
  failure = new ApiError(503, "AWAY", "The database is away.");
  await queries.refetchQueries();
  await expect.element(screen.getByText("Looked at just now, and not since then: The database is away.")).toBeVisible();
});

test("a newer console needs to be loaded, also where nothing else is needed", async () => {
  const { screen } = await open(() => [], 12);
  await expect.element(screen.getByRole("button", { name: "Version 12 of the console is there: load it" })).toBeVisible();
  expect(screen.getByText("Nothing needs you.").elements()).toEqual([]);
});
