import { afterEach } from "vitest";
import { cleanup } from "vitest-browser-react";
import { serverClock } from "#lib/server-clock.ts";
import "@mantine/core/styles.css";
import "#ui/base.css";

// Test files share one page: what a test drew, and what lies over it, goes with the test.
afterEach(async () => {
  await cleanup();
  document.body.replaceChildren();
});
// So does what an answer said of the server's time, against a clock that the test may have set.
afterEach(() => {
  const now = Date.now();
  serverClock.note({ reportedMs: now, precisionMs: 0, requestedAtMs: now, seenAtMs: now });
});
