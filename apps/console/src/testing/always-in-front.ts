import { focusManager } from "@tanstack/react-query";

// Test files share one browser: which of their pages is in front changes at any time, and each change would ask for the data again.
focusManager.setEventListener(() => undefined);
focusManager.setFocused(true);
