import { expect, test } from "vitest";
import { figuresOfPart, keptFile } from "./figures.ts";

// Of the server its own tests do the same. Most of them no other test could notice: one more in a batch, a minute less of patience. Whoever changes one means it.
test.each(["packages/alarms", "packages/contract", "packages/metering", "packages/sparkplug", "packages/waveform"])(
  "A-63 every limit, batch, lease and wait of %s is what is kept of it",
  async (part) => expect(await figuresOfPart(part)).toMatchFileSnapshot(keptFile(part)),
);
