import type { EndpointName } from "@busbar/contract/api.ts";
import { reverseRows, withRowsChanged } from "#testing/reverse-rows.ts";
import type { TestApp } from "#testing/test-app.ts";
import type { worldReads } from "./world-reads.ts";
import type { WorldSteps } from "./world-steps.ts";

type Reads = ReturnType<typeof worldReads>;
type Answers = ReadonlyMap<string, readonly string[]>;

/** What lists are sorted by first is the same of many rows: what they are sorted by then decides. */
const ties: Readonly<Record<string, string>> = {
  customer: "name = 'Same'",
  // No customer has two of one name.
  facility: "name = case when id in (select min(id) from facility group by customer_id) then 'Same' else name end",
  location: "name = 'Same'",
  app_user: "first_name = 'Same', last_name = 'Same'",
  activity: "ts = date_trunc('hour', ts)",
  location_note: "ts = date_trunc('day', ts)",
  notification: "created_at = date_trunc('day', created_at), sent_at = date_trunc('day', sent_at)",
  mute: "until_at = date_trunc('year', until_at) + interval '1 year'",
  system_message: "muted_until = date_trunc('year', muted_until) + interval '1 year'",
  service_set_aside: "first_at = date_trunc('day', first_at)",
  node: "current_deployment_status_updated_at = date_trunc('day', current_deployment_status_updated_at)",
  node_placement: "started_at = date_trunc('day', started_at)",
  download_job: "created_at = date_trunc('day', created_at)",
  saved_view: "name = lower(name)",
  // A node has one open alarm of a kind.
  alarm: "raised_at = case when cleared_at is null then date_trunc('day', raised_at) else raised_at end",
};

/** The other server started later. */
const isOfItsOwn = (line: string) => line.startsWith("data.serverStartUpTime: ");

export async function readAll(world: WorldSteps, reads: Reads, server?: TestApp): Promise<Answers> {
  const answers = new Map<string, string[]>();
  for (const [name, each] of Object.entries(reads))
    for (const read of each) answers.set(name, [...(answers.get(name) ?? []), ...(await world.read(name as EndpointName, read, server))]);
  return answers;
}

/** Reads that a server which has just started answers otherwise where the rows of all tables lie the other way round. */
export async function readsOfOtherRows(world: WorldSteps, all: Reads, before: Answers): Promise<string[]> {
  // What asks a node leaves traces.
  const reads = Object.fromEntries(Object.entries(all).filter(([, each]) => each.every(({ nodes }) => nodes === undefined)));
  const found: string[] = [];
  const readAnew = async () => {
    let answers: Answers = new Map();
    await world.withAnother(async (another) => void (answers = await readAll(world, reads, another)));
    return answers;
  };
  const compare = (when: string, were: Answers, are: Answers) => {
    for (const [name, lines] of are) {
      const place = lines.findIndex((line, index) => line !== were.get(name)![index] && !isOfItsOwn(line));
      if (place >= 0) found.push(`${name}, ${when}: ${were.get(name)![place]} became ${lines[place]}`);
    }
  };
  await reverseRows(world.pool);
  compare("as it is", before, await readAnew());
  await reverseRows(world.pool);
  await withRowsChanged(world.pool, ties, async () => {
    const were = await readAnew();
    await reverseRows(world.pool);
    compare("with much that is the same", were, await readAnew());
    await reverseRows(world.pool);
  });
  return found;
}
