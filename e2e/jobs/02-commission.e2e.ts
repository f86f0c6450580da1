import { randomInt } from "node:crypto";
import { startFleet } from "@busbar/simulator/fleet.ts";
import { sampleNode } from "@busbar/simulator/testing/sample-node.ts";
import type { Location } from "@busbar/contract/directory/locations.ts";
import type { Node } from "@busbar/contract/directory/nodes.ts";
import type { NodeTasks } from "@busbar/contract/directory/node-tasks.ts";
import { addPerson } from "../extra-person.ts";
import { expect, signInByCookie, test, world } from "../fixtures.ts";
import { addOwnLocation, addOwnPlace, send } from "../location-world.ts";
import { Person, bothHands } from "./person.ts";

for (const hands of bothHands) {
  test(`Job 2 a node from its box to Deployed, its tasks at 390 px, by ${hands}`, async ({ app, context }) => {
    const { page } = app;
    const colleague = await addPerson([]);
    await signInByCookie(context, world().url, colleague.username);
    const location = await addOwnLocation(page, await addOwnPlace(page), { npVoltage: 460, npCurrent: 60 });
    const serial = String(randomInt(50_000, 89_000));
    await app.open("/home");
    const person = new Person(page, hands);
    const dialog = page.getByRole("dialog");
    const step = (label: string) => page.getByRole("region", { name: `Task ${label}`, exact: true });
    const done = (label: string) => person.press(step(label).getByRole("button", { name: "Done and next" }));

    // Out of the box: the record, and where it goes.
    await person.openMenu("Nodes");
    await person.press(page.getByRole("button", { name: "Add node" }));
    await person.type(dialog.getByRole("textbox", { name: "Serial Number" }), serial);
    await person.typeNext(dialog.getByRole("textbox", { name: "New Container" }), "Box 7");
    await person.submit();
    await person.choose(dialog.getByRole("combobox", { name: "Location" }), location.name, new RegExp(location.name));
    await expect(dialog.getByRole("combobox", { name: "Deployment Task Version" }).first()).toHaveValue(/^NL-NF/);
    await person.press(dialog.getByRole("button", { name: "Place and go on to its tasks" }));
    await expect(page).toHaveURL(new RegExp(`/deployments/${serial}$`));

    // From here on by phone.
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(page.getByText("0 of 22 completed")).toBeVisible();
    await person.press(page.getByRole("button", { name: "Complete 2 tasks that have their evidence" }));
    for (const label of ["A3", "A4", "A5"]) await done(label);

    // On the bench: secrets, shown once, then the node itself and what it holds.
    await person.press(step("A6").getByRole("button", { name: "Credentials" }));
    await person.type(dialog.getByRole("textbox", { name: "2FA code" }), colleague.passcode());
    await person.submit();
    const made = dialog.getByRole("region", { name: "New credentials" });
    const secret =
      (await made.locator("dt", { hasText: "Password" }).locator("xpath=following-sibling::dd[1]").locator("code").textContent()) ?? "";
    const sheet = page.waitForEvent("download");
    await person.press(made.getByRole("button", { name: "Sheet for the installer (PDF)" }));
    expect((await sheet).suggestedFilename()).toBe(`node-${serial}-credentials.pdf`);
    await expect(dialog).toBeHidden();
    const node = sampleNode({ serial: Number(serial), shift: "unbroken", secret });
    const fleet = startFleet({ nodes: [node], to: world().mqttUrl, seed: 7, startDelayMaxSeconds: 0, faults: { scale: 0 } });
    try {
      await expect(page.getByRole("button", { name: "Complete 3 tasks that have their evidence" })).toBeVisible();
      await person.press(step("A6").getByRole("button", { name: "Node Config" }));
      await person.type(dialog.getByLabel("New value of np_current", { exact: true }), "60");
      await person.typeNext(dialog.getByLabel("New value of v_noise", { exact: true }), "6");
      await person.typeNext(dialog.getByLabel("2FA PASSCODE"), colleague.passcode());
      await person.submit();
      await expect(dialog.getByText(/^2 values changed on node/)).toBeVisible();
      await person.press(dialog.getByRole("button", { name: "Close" }).first());
      await person.press(page.getByRole("button", { name: "Complete 4 tasks that have their evidence" }));
      for (const label of ["A10", "A11", "A12", "B1"]) await done(label);

      // At the machine.
      await expect(step("B2").getByText("Right", { exact: false }).first()).toBeVisible();
      await expect(step("B2").getByText("Its values arrive.")).toBeVisible();
      await person.expectAccessible();
      await done("B2");
      await expect(step("B3").getByText("Its clock is right.")).toBeVisible();
      await done("B3");
      await done("B4");
      await person.type(step("B5").getByRole("textbox", { name: "Notes related to this task" }), "Panel 461 V, node 460 V");
      await done("B5");
      await done("B6");
      await person.press(step("B7").getByRole("button", { name: "Set Nameplate Valid" }));
      await expect(step("B7").getByText("Nameplate valid is set.")).toBeVisible();
      await done("B7");
      await done("B8");

      // Approved: the wiring was found right, so no one is asked why.
      await expect(step("B9").getByText("Seen Wiring")).toBeVisible();
      await person.press(step("B9").getByRole("button", { name: "Request Deployed" }));
      await expect(step("B9").getByText("Deployed is requested and awaited.")).toBeVisible();
      await expect(step("B9").getByText(/^Pre-Deployment now\. Becomes Deployed at \d{4}-\d\d-\d\d 00:00:00/)).toBeVisible();
      await person.expectAccessible();
      await done("B9");
      await done("B10");
      await expect(page.getByText("22 of 22 completed")).toBeVisible();
      expect(person.clicks).toBeLessThanOrEqual(30);
    } finally {
      await fleet.stop();
    }

    const deployed = await send<Node>(page, "GET", `/nodes/${serial}/details`);
    expect(deployed).toMatchObject({ newDeploymentStatus: "Deployed", nameplateValid: true, lacksWiringVerdict: false, openTaskCount: 0 });
    // The day on which the status begins, in its zone.
    const { billingStartDate } = await send<Location>(page, "GET", `/locations/${location.id}`);
    const begins = new Date(deployed.newDeploymentStatusUpdateTimestamp * 1000);
    expect(billingStartDate).toBe(new Intl.DateTimeFormat("en-CA", { timeZone: deployed.timezone!, dateStyle: "short" }).format(begins));
    const { wiring, tasks } = await send<NodeTasks>(page, "GET", `/v2/nodes/${serial}/tasks`);
    expect(wiring).toMatchObject({ outcome: "right", takenBy: colleague.username });
    expect(new Set(tasks.map(({ lastUpdatedUsername }) => lastUpdatedUsername))).toEqual(new Set([colleague.username]));
  });
}
