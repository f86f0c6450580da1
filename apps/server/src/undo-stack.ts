export interface UndoStack {
  add(undo: () => Promise<void>): void;
  /** Runs all, the latest first; one that fails does not keep the others from running. */
  run(): Promise<void>;
}

/** What has been started and must be stopped, in reverse. */
export function createUndoStack(): UndoStack {
  const undos: (() => Promise<void>)[] = [];
  return {
    add: (undo) => void undos.push(undo),
    async run() {
      const failures: unknown[] = [];
      for (let undo = undos.pop(); undo; undo = undos.pop()) {
        await undo().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of the parts did not stop cleanly`);
    },
  };
}
