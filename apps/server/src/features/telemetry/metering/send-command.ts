export interface MeterCommand {
  serialNumber: number;
  metrics: readonly { name: string; datatype: number; value: number | boolean }[];
  timeoutMs: number;
}

/** Resolves with what became of a command to a node. */
export type SendCommand = (command: MeterCommand) => Promise<{ state: "sent" | "answered" | "unanswered" | "not-sent" }>;
