import { afterEach } from "vitest";
import { cleanup } from "vitest-browser-react";
import "@mantine/core/styles.css";
import "#ui/base.css";

// Test files share one page: what a test drew, and what lies over it, goes with the test.
afterEach(async () => {
  await cleanup();
  document.body.replaceChildren();
});
