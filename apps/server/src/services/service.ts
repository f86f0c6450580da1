/** A background job. `run` does all work that is due and returns how many things it processed; it ends soon after `signal`. */
export interface Task {
  name: string;
  intervalSeconds: number;
  run(signal: AbortSignal): Promise<number>;
}

/** A service as the system pages show it. Timestamps in epoch seconds, durations and interval in seconds. */
export interface Service {
  isEnabled: boolean;
  isScheduledService: boolean;
  isRunning: boolean;
  interval: number;
  countProcessedLastRun: number;
  countProcessedLifetime: number;
  logEntry: string;
  durationLastRun: number | null;
  durationAverage: number | null;
  timestampLastFinished: number | null;
  timestampNextRun: number;
}
