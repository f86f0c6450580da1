import type { Page } from "playwright-core";

interface Probe {
  startedAt: number;
  changedAt: number;
}

/** Milliseconds from the event that `act` causes to the frame that shows the last change of the screen which it brought. */
export async function untilPainted(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const probe: Probe = { startedAt: 0, changedAt: 0 };
    const noteFrame = () => requestAnimationFrame((at) => (probe.changedAt = Math.max(at, performance.now())));
    const note = (event: Event) => {
      if (probe.startedAt !== 0) return;
      probe.startedAt = event.timeStamp;
      // The key itself is painted also when the list stays as it is.
      noteFrame();
    };
    addEventListener("keydown", note, { capture: true, once: true });
    addEventListener("pointerdown", note, { capture: true, once: true });
    // React writes a field's attributes again whenever it renders, as when the address follows the typing.
    const isSeen = ({ target }: MutationRecord) => !(target instanceof HTMLInputElement);
    const observer = new MutationObserver((records) => {
      if (records.some(isSeen)) noteFrame();
    });
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
