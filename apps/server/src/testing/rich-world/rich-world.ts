import { changeAlarms, changeFiles, changeOffice } from "./alarms-and-office.ts";
import { watchExceptions } from "./exceptions.ts";
import { readAll, readsOfOtherRows } from "./lying-rows.ts";
import { addTelemetry, judge } from "./measurements.ts";
import { addExpired, addNearMisses, setAsideOthers } from "./near-misses.ts";
import { changeNodes } from "./nodes.ts";
import { addPeople, changeAccounts, changeUsers } from "./people.ts";
import { addPlaces, changeDirectory, removePlaces } from "./places.ts";
import { refuseConflicts, refuseOtherFacility, refuseOthers } from "./refusals.ts";
import { changeSystem } from "./system.ts";
import { createWorldSteps, type WorldSteps } from "./world-steps.ts";
import { worldReads } from "./world-reads.ts";
import { day } from "./world-times.ts";

/** A world in which everything is there twice and differs, made by the product's own calls and services. */
export async function makeRichWorld(env: Record<string, string>) {
  const world = await createWorldSteps({ ANALYTICS_URL: "https://analytics.example/busbar", ...env });
  try {
    await addPeople(world);
    const places = await addPlaces(world);
    await world.advance(2 * day);
    for (const username of staff) await world.signIn(username);
    await addTelemetry(world);
    await changeUsers(world, places);
    await setAsideOthers(world);
    await judge(world, places);
    await changeAlarms(world, places);
    await changeDirectory(world, places);
    const photoIds = await changeNodes(world, places);
    await changeOffice(world);
    await changeFiles(world);
    await changeSystem(world);
    await changeAccounts(world);
    for (const { name } of world.tasks) if (!world.steps.has(name)) await world.ran(name);
    await refuseOthers(world, places, photoIds[0]!);
    await refuseConflicts(world, places);
    await removePlaces(world, places);
    await settleUses(world);
    const moment = await addNearMisses(world, places);
    await world.server.context.fleet.runTick();
    const { rows } = await world.pool.query<{ username: string; id: number }>("select username, id from app_user");
    const people = new Map(rows.map(({ username, id }) => [username, id]));
    const reads = worldReads({ places, personId: (username) => people.get(username)!, now: world.now(), moment, photoIds });
    const answers = await readAll(world, reads);
    for (const [name, lines] of answers) world.steps.set(name, [...(world.steps.get(name) ?? []), ...lines]);
    world.unsteady.push(...(await readsOfOtherRows(world, reads, answers)));
    await refuseOtherFacility(world, places);
    await watchExceptions(world, places.birch, places.mill);
    // Most of it has had its time then.
    await world.advance(1_200 * day);
    for (const name of ["DeploymentStatusRoll", "SubscriptionReport", "DownloadCleaner", "SessionReaper"]) await world.ran(name);
    await addExpired(world);
    await world.ran("RetentionPruner");
    return world;
  } catch (error) {
    await world.stop();
    throw error;
  }
}

const staff = ["chief", "plain", "books", "keeper"];

/** When sessions and keys were used is written beside a call, a moment later, and not again within a minute. */
async function settleUses(world: WorldSteps): Promise<void> {
  await world.advance(60);
  for (const username of staff) await world.ask("getAccount", {}, username);
  for (const key of ["ann", "bob"]) await world.read("getCustomerLocations", { key });
  await world.until(
    `(select count(*) from session where last_used_at >= now() - interval '1 second') = ${staff.length} and (select count(*) from user_key where last_used_at is not null) = 2`,
  );
}
