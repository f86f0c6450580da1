import "./probe.ts";
import { nextText, updateEveryMs } from "./feed.ts";
import { render } from "./frame.tsx";

// Receives the same texts and does nothing with them: what the feed itself costs.
void nextText().then(() => {
  render(<input aria-label="filter" data-first-row />);
  setInterval(() => void nextText(), updateEveryMs);
});
