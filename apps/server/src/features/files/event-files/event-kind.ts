import type { EventKind } from "@busbar/contract/files/event-files.ts";

const tripWord = /\bTRIP/i;
/** SEL writes the type of fault with a T behind it when the relay tripped: `AG T`. */
const selTrip = /(?:^|\s)T(?:$|\s)/;
const alarmWord = /ALARM|\bSELF[- ]?TEST|\bFAIL(?:URE|ED)?\b/i;
const tripChannel = /^TRIP[A-Z0-9]{0,2}$/i;
const alarmChannel = /ALARM|^ALRM/i;

/**
 * What happened, by the file's own words and by the digital channels that came on.
 * @param event type of event and targets as the file writes them
 */
export function eventKindOf(event: string, cameOn: readonly string[]): EventKind {
  const words = event.replaceAll("_", " ");
  const has = (pattern: RegExp) => cameOn.some((name) => name.split(/[\s_.:-]+/).some((part) => pattern.test(part)));
  if (tripWord.test(words) || selTrip.test(words) || has(tripChannel)) return "trip";
  return alarmWord.test(words) || has(alarmChannel) ? "alarm" : "event";
}
