import { consoleLink, linkedScreens, type LinkedScreen } from "@busbar/contract/values/console-links.ts";
import { addPerson } from "./extra-person.ts";
import { expect, signInByCookie, test, world } from "./fixtures.ts";
import { send } from "./location-world.ts";

interface Notice {
  kind: string;
  body: string;
}

test("A-16 every link of every mail opens its screen", async ({ app, context }) => {
  test.slow();
  const { username } = await addPerson(["systemAdministrator", "accountsAdministrator"]);
  await signInByCookie(context, world().url, username);
  const { page } = app;
  // What makes the mails that have links; each of the others is collected as it comes.
  await send(page, "PATCH", "/system/config", { Billing_noticeDays: "365" });
  await send(page, "PATCH", "/system/services/BillingRoll/run");
  await send(page, "GET", "/node-dashboard/nodes/10103/files/download");
  const read = async () => (await send<{ notifications: Notice[] }>(page, "GET", "/notifications?count=100")).notifications;
  const kinds = async () => (await read()).map(({ kind }) => kind);
  await expect.poll(kinds).toEqual(expect.arrayContaining(["BILL_READY", "DOWNLOAD_READY"]));

  const sent = (await read()).flatMap(({ body }) => body.match(/https?:\/\/\S+/g) ?? []);
  const known = (Object.keys(linkedScreens) as LinkedScreen[]).map((screen) => consoleLink(world().url, screen));
  // No screen is listed that no mail leads to, and no mail leads elsewhere.
  expect(new Set(sent)).toEqual(new Set(known));
  for (const link of known) {
    await page.goto("about:blank");
    await page.goto(link);
    const heading = page.getByRole("heading", { level: 1 });
    await expect(heading).toBeVisible();
    await expect(heading).not.toHaveText(/does not exist|not permitted|not found|sign in/i);
  }
});
