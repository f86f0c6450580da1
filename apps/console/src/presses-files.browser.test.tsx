import { pressEverything } from "./testing/walk-presses.tsx";

pressEverything("files");
