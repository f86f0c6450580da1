import type { Page } from "playwright-core";

interface Probe {
  startedAt: number;
  changedAt: number;
}

/** Milliseconds from the event that `act` causes to the frame that shows the last change of the screen which it brought. */
export async function untilPainted(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const probe: Probe = { startedAt: 0, changedAt: 0 };
    const note = (event: Event) => {
      probe.startedAt ||= event.timeStamp;
    };
    addEventListener("keydown", note, { capture: true, once: true });
    addEventListener("pointerdown", note, { capture: true, once: true });
    const observer = new MutationObserver(() => requestAnimationFrame((at) => (probe.changedAt = Math.max(at, performance.now()))));
    observer.observe(document.getElementById("main") ?? document.body, {
      childList: true,
      subtree: true,
      characterData: true,
      attributes: true,
    });
    Object.assign(globalThis, { probe, endProbe: () => observer.disconnect() });
  });
  await act();
  // Quiet for ten frames: nothing more comes of it.
  return await page.evaluate(async () => {
    const { probe, endProbe } = globalThis as unknown as { probe: Probe; endProbe: () => void };
    for (let quiet = 0, seen = probe.changedAt; quiet < 10; quiet = probe.changedAt === seen ? quiet + 1 : 0, seen = probe.changedAt)
      await new Promise((done) => requestAnimationFrame(done));
    endProbe();
    return probe.changedAt === 0 ? 0 : probe.changedAt - probe.startedAt;
  });
}
