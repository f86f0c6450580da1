import { describe, expect, test } from "vitest";
import { firstStatus, planStatus, type StatusState } from "./deployment-status.ts";

const at = (text: string) => Date.parse(text) / 1000;
const since = at("2026-01-05T12:00:00Z");
const settled = (current: StatusState["current"]): StatusState => ({ current, currentAt: since, requested: current, requestedAt: since });
const now = at("2026-11-20T15:00:00Z");
const here = { now, timezone: "America/Chicago", isAssigned: true };

describe("NFM-07 a requested status becomes current at the next midnight of the place", () => {
  const cases: [string, string | null, string, string][] = [
    ["UTC for a node at no location", null, "2026-11-20T15:00:00Z", "2026-11-21T00:00:00Z"],
    ["in winter", "America/Chicago", "2026-01-10T15:00:00Z", "2026-01-11T06:00:00Z"],
    ["in summer", "America/Chicago", "2026-07-10T15:00:00Z", "2026-07-11T05:00:00Z"],
    ["asked for on the evening before clocks go forward", "America/Chicago", "2026-03-08T05:30:00Z", "2026-03-08T06:00:00Z"],
    ["on the day of 23 hours", "America/Chicago", "2026-03-08T15:00:00Z", "2026-03-09T05:00:00Z"],
    ["on the day of 25 hours", "America/Chicago", "2026-11-01T15:00:00Z", "2026-11-02T06:00:00Z"],
    ["in the hour that comes twice, the first time", "America/New_York", "2026-11-01T05:30:00Z", "2026-11-02T05:00:00Z"],
    ["in the hour that comes twice, the second time", "America/New_York", "2026-11-01T06:30:00Z", "2026-11-02T05:00:00Z"],
    ["New York, clocks forward", "America/New_York", "2026-03-08T12:00:00Z", "2026-03-09T04:00:00Z"],
    ["Los Angeles, clocks back", "America/Los_Angeles", "2026-11-01T12:00:00Z", "2026-11-02T08:00:00Z"],
    ["Phoenix has no summer time", "America/Phoenix", "2026-03-08T12:00:00Z", "2026-03-09T07:00:00Z"],
    ["Honolulu", "Pacific/Honolulu", "2026-11-01T09:59:59Z", "2026-11-01T10:00:00Z"],
    ["half an hour off", "Asia/Kolkata", "2026-11-01T18:29:59Z", "2026-11-01T18:30:00Z"],
    ["exactly at midnight it is the following one", "Asia/Kolkata", "2026-11-01T18:30:00Z", "2026-11-02T18:30:00Z"],
  ];
  test.each(cases)("%s", (_, timezone, when, expected) => {
    const plan = planStatus(settled("Pre-Deployment"), { status: "Deployed" }, { now: at(when), timezone, isAssigned: true });
    expect(plan).toEqual({ current: "Pre-Deployment", currentAt: since, requested: "Deployed", requestedAt: at(expected) });
  });
});

describe("NFM-07 the time of the change can be forced", () => {
  const force = (timestamp: number) => planStatus(settled("Pre-Deployment"), { status: "Deployed", timestamp }, here);
  test("a time ahead is awaited, up to 30 days", () => {
    expect(force(now + 1)).toMatchObject({ current: "Pre-Deployment", requested: "Deployed", requestedAt: now + 1 });
    expect(force(now + 30 * 86_400)).toMatchObject({ requestedAt: now + 30 * 86_400 });
    expect(() => force(now + 30 * 86_400 + 1)).toThrow(
      "newDeploymentStatusUpdateTimestamp: The time of the status change is at most 30 days ahead",
    );
  });
  test("a time that has passed makes it current at once, since then", () => {
    expect(force(now)).toEqual({ current: "Deployed", currentAt: now, requested: "Deployed", requestedAt: now });
    expect(force(now - 86_400)).toEqual({
      current: "Deployed",
      currentAt: now - 86_400,
      requested: "Deployed",
      requestedAt: now - 86_400,
    });
  });
  test("null is the next midnight, the time that was read is no forced one", () => {
    const midnight = at("2026-11-21T06:00:00Z");
    const awaiting = force(now + 5_000);
    expect(planStatus(awaiting, { timestamp: null }, here)).toMatchObject({ requestedAt: midnight });
    expect(planStatus(awaiting, { timestamp: now + 5_000 }, here)).toBe(awaiting);
    expect(planStatus(awaiting, { status: "Unassigned", timestamp: now + 5_000 }, here)).toMatchObject({
      requested: "Unassigned",
      requestedAt: midnight,
    });
  });
  test("with nothing awaited there is nothing to force", () => {
    expect(() => planStatus(settled("Deployed"), { timestamp: now + 1 }, here)).toThrow("No change of status is awaited");
    expect(() => planStatus(settled("Deployed"), { status: "Deployed", timestamp: now + 1 }, here)).toThrow(
      "No change of status is awaited",
    );
    const unchanged = settled("Deployed");
    expect(planStatus(unchanged, { status: "Deployed", timestamp: null }, here)).toBe(unchanged);
  });
});

describe("NFM-07 which status may follow which", () => {
  const plan =
    (from: StatusState["current"], to: StatusState["current"], isAssigned = true) =>
    () =>
      planStatus(settled(from), { status: to }, { ...here, isAssigned });
  test("the allowed ones", () => {
    expect(plan("Pre-Deployment", "Deployed")()).toMatchObject({ requested: "Deployed" });
    expect(plan("Pre-Deployment", "Unassigned")()).toMatchObject({ requested: "Unassigned" });
    expect(plan("Deployed", "Pre-Deployment")()).toMatchObject({ requested: "Pre-Deployment" });
    expect(plan("Deployed", "Unassigned")()).toMatchObject({ requested: "Unassigned" });
    expect(plan("Unassigned", "Pre-Deployment", false)()).toMatchObject({ requested: "Pre-Deployment" });
  });
  test("the refused ones say what to do first", () => {
    expect(plan("Unassigned", "Deployed")).toThrow("newDeploymentStatus: Set Pre-Deployment first");
    expect(plan("Pre-Deployment", "Deployed", false)).toThrow("newDeploymentStatus: The node is at no location");
    for (const from of ["Pre-Deployment", "Deployed", "Unassigned"] as const)
      expect(plan(from, "Decommissioned")).toThrow("newDeploymentStatus: A node is decommissioned in the customer's list");
    for (const to of ["Pre-Deployment", "Deployed", "Unassigned"] as const)
      expect(plan("Decommissioned", to)).toThrow("newDeploymentStatus: The node is decommissioned");
  });
  test("an awaited Pre-Deployment is not yet one", () => {
    const awaiting = plan("Unassigned", "Pre-Deployment")();
    expect(() => planStatus(awaiting, { status: "Deployed" }, here)).toThrow("Set Pre-Deployment first");
  });
  test("requesting the current status again cancels what is awaited", () => {
    const before = settled("Pre-Deployment");
    const awaiting = planStatus(before, { status: "Deployed" }, here);
    expect(planStatus(awaiting, { status: "Pre-Deployment" }, here)).toEqual(before);
  });
  test("a request that changes nothing gives the state itself, also one that would be refused today", () => {
    const awaiting = planStatus(settled("Pre-Deployment"), { status: "Deployed" }, here);
    expect(planStatus(awaiting, { status: "Deployed" }, { ...here, isAssigned: false })).toBe(awaiting);
    const retired = settled("Decommissioned");
    expect(planStatus(retired, { status: "Decommissioned" }, here)).toBe(retired);
  });
});

test("NFM-07 a new node has its status at once, or since a time that has passed", () => {
  expect(firstStatus("Deployed", null, now + 0.7)).toEqual({
    current: "Deployed",
    currentAt: now,
    requested: "Deployed",
    requestedAt: now,
  });
  expect(firstStatus("Unassigned", now - 5, now)).toMatchObject({ current: "Unassigned", currentAt: now - 5, requestedAt: now - 5 });
  expect(() => firstStatus("Deployed", now + 1, now)).toThrow("newDeploymentStatusUpdateTimestamp: A new node has its status at once");
});
