import { pressFirst } from "./testing/walk-presses.tsx";

// What their dialogs do is walked without a page below, in `presses-forms` and `presses-first`.
pressFirst(
  ["/nodes", "/nodes/10001", "/users", "/customers?filterText=1000", "/coverage", "/trends?series=10001:current,10002:powerKw"],
  {},
);
