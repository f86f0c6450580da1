import type { EventFile } from "@busbar/contract/files/event-files.ts";
import type { presentContents } from "#features/files/node-files/node-files.view.ts";
import type { OpenedEventFile } from "./event-files.service.ts";

export function presentEventFile({ row, partner, event, contents }: OpenedEventFile, present: typeof presentContents): EventFile {
  const { format, kind, triggeredAt, labels, waveform, problem, warnings } = event;
  return {
    ...present(row, contents),
    format,
    eventKind: kind,
    triggeredAt: triggeredAt ?? null,
    labels: labels.map(([name, value]) => ({ name, value })),
    partner: partner ?? null,
    waveform: waveform ?? null,
    problem: problem ?? null,
    warnings,
  };
}
