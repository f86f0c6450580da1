import { pressEverything } from "./testing/walk-presses.tsx";

// What is done there is done by the same parts as on the screens of errors and of all changes.
pressEverything("system", { exceptAt: ["/system/warnings", "/changes?object=node/10001"] });
