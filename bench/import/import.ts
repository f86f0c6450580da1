import { setTimeout as pause } from "node:timers/promises";
import { csvText } from "@busbar/contract/values/csv.ts";
import type { ImportStep } from "@busbar/contract/values/import-plan.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMs } from "../lib/format-figure.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { openFleetServer } from "../lib/fleet-server.ts";

const facilitiesOfCustomer = 10;
const locationsOfFacility = 40;
const firstSerial = 40_000;
/** Who asks without a pause takes half of a processor from what is measured. */
const betweenAsksMs = 20;

/**
 * Customers, facilities and locations from a file: what it would do, the import itself, and the same file again; then nodes for them, users, and the
 * dry run of both files again with another value in each line. Meanwhile someone asks for `/healthz`.
 */
export async function benchImport(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const locations = isShort ? 100 : 20_000;
  const records = isShort ? 40 : 5_000;
  const { server, token } = await openFleetServer(context, { nodes: 1 });
  const report = createReport("import", `${formatCount(locations)} locations, ${formatCount(records)} nodes and users`);

  let longestWaitMs = 0;
  const over = new AbortController();
  const bystander = async () => {
    while (!over.signal.aborted) {
      const startedAt = performance.now();
      await (await fetch(`${server.urls.console}/healthz`)).arrayBuffer();
      longestWaitMs = Math.max(longestWaitMs, performance.now() - startedAt);
      await pause(betweenAsksMs);
    }
  };
  let longestSilenceMs = 0;
  const send = async (what: string, path: string, body: string) => {
    const startedAt = performance.now();
    const headers = { token, "content-type": "application/octet-stream" };
    const response = await fetch(`${server.urls.console}/api/${what}-import/${path}`, { method: "POST", headers, body });
    let text = "";
    let heardAt = startedAt;
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      longestSilenceMs = Math.max(longestSilenceMs, performance.now() - heardAt);
      heardAt = performance.now();
    }
    if (response.status !== 200) throw new Error(`POST /${what}-import answered ${response.status}: ${text}`);
    return { step: JSON.parse(text.trim().split("\n").at(-1)!) as ImportStep, ms: performance.now() - startedAt };
  };
  const rows: string[][] = [];
  const plan = async (name: string, what: string, body: string) => {
    say(name);
    const { step, ms } = await send(what, "plan", body);
    if (!("plan" in step)) throw new Error(`${name}: ${JSON.stringify(step)}`);
    rows.push([name, formatMs(ms)]);
    return { plan: step.plan, ms };
  };
  const run = async (name: string, what: string, digest: string, body: string) => {
    say(name);
    const { step, ms } = await send(what, digest, body);
    if (!("imported" in step)) throw new Error(`${name}: ${JSON.stringify(step)}`);
    rows.push([name, formatMs(ms)]);
    return { added: step.imported.at(-1)!.added, ms };
  };

  const beside = bystander();
  const file = fileOf(locations);
  const dry = await plan("dry run", "place", file);
  const done = await run("import", "place", dry.plan.digest, file);
  const again = await plan("dry run of the same file, which is there", "place", file);
  const both: Record<string, number> = {};
  for (const { what, fileWith } of [
    { what: "node", fileWith: (text: string) => nodeFileOf(records, `Delivery ${text}`) },
    { what: "user", fileWith: (text: string) => userFileOf(records, text) },
  ]) {
    const many = `${formatCount(records)} ${what}s`;
    const text = fileWith("a");
    const { plan: shown, ms } = await plan(`dry run of ${many}`, what, text);
    const imported = await run(`import of ${many}`, what, shown.digest, text);
    const changed = await plan(`dry run of a change of ${many}`, what, fileWith("b"));
    both[`${what}s, dry run and import, ms`] = ms + imported.ms;
    both[`${what}s, dry run of a change, ms`] = changed.ms;
    expectNone(report, `${what}s that were not imported`, records - imported.added);
    expectNone(report, `${what}s whose change is not shown`, records - changed.plan.counts[0]!.changed);
  }
  over.abort();
  await beside;

  rows.push(
    ["longest answer of /healthz meanwhile", formatMs(longestWaitMs)],
    ["longest silence of an answer", formatMs(longestSilenceMs)],
  );
  report.tables.push({ columns: ["step", "ms"], rows });
  Object.assign(report.facts, {
    "dry run, ms": dry.ms,
    "import, ms": done.ms,
    "dry run and import, ms": dry.ms + done.ms,
    "again, ms": again.ms,
    ...both,
    "health meanwhile, max ms": longestWaitMs,
    "silence, max ms": longestSilenceMs,
  });
  expectNone(report, "locations that were not imported", locations - done.added);
  const left = again.plan.counts.at(-1)!;
  expectNone(report, "locations that a second import would add or change", left.added + left.changed);
  return report;
}

const heads = ["Customer code", "Customer", "Facility", "Site", "Location", "Equipment type", "Time zone"];
const fileOf = (count: number): string => csvText([heads, ...placesOf(count)]);

/** Each at a location of that file. */
const nodeFileOf = (count: number, container: string): string =>
  csvText([
    ["Serial Number", "Container", "Customer code", "Facility", "Location"],
    ...placesOf(count).map(([code = "", , facility = "", , location = ""], index) => [
      `${firstSerial + index}`,
      container,
      code,
      facility,
      location,
    ]),
  ]);

const userFileOf = (count: number, lastName: string): string =>
  csvText([
    ["Username", "Email", "First name", "Last name", "Customer code"],
    ...Array.from({ length: count }, (_, index) => [`user${index}`, `user${index}@busbar.example`, "Sam", `User ${lastName}`, "cust0"]),
  ]);

function placesOf(count: number): string[][] {
  return Array.from({ length: count }, (_, index) => {
    const facility = Math.floor(index / locationsOfFacility);
    const customer = Math.floor(facility / facilitiesOfCustomer);
    const letters = String(customer).replaceAll(/\d/g, (digit) => String.fromCharCode(97 + Number(digit)));
    return [
      `im${letters}`,
      `Imported ${customer}`,
      `Works ${facility}`,
      `Site ${facility}`,
      `Pump ${index}`,
      "InductionMotor",
      "America/Chicago",
    ];
  });
}
