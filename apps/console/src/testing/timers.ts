interface Runner {
  wrapDynamicImport: <Module>(load: () => Promise<Module>) => Promise<Module>;
}
interface Followed {
  due: Set<number>;
  coming: number;
  isHurried: boolean;
}
type Page = typeof window & { __vitest_browser_runner__: Runner; followed?: Followed };

/** What is read comes from another process of the browser. */
const readings = [
  [Blob.prototype, "arrayBuffer"],
  [Response.prototype, "blob"],
  [window, "createImageBitmap"],
] as unknown as [owner: Record<string, (...given: unknown[]) => Promise<unknown>>, name: string][];

const mostMs = 20;
/** A walk does not wait for what comes later. */
const laterMs = 500;

function follow(page: Page): Followed {
  const followed: Followed = { due: new Set(), coming: 0, isHurried: false };
  const start = page.setTimeout.bind(page);
  const clear = page.clearTimeout.bind(page);
  const runner = page.__vitest_browser_runner__;
  page.setTimeout = ((act: TimerHandler, ms = 0, ...rest: unknown[]) => {
    if (!followed.isHurried || typeof act !== "function") return start(act, ms, ...rest);
    if (ms >= laterMs) return 0;
    const timer: number = start(
      () => {
        followed.due.delete(timer);
        (act as (...args: unknown[]) => void)(...rest);
      },
      Math.min(ms, mostMs),
    );
    followed.due.add(timer);
    return timer;
  }) as typeof page.setTimeout;
  page.clearTimeout = (timer) => {
    followed.due.delete(Number(timer));
    clear(timer);
  };
  const untilThere = async <Part>(part: Promise<Part>): Promise<Part> => {
    followed.coming++;
    try {
      return await part;
    } finally {
      start(() => followed.coming--);
    }
  };
  const wrapDynamicImport: Runner["wrapDynamicImport"] = runner.wrapDynamicImport.bind(runner);
  runner.wrapDynamicImport = (load) => untilThere(wrapDynamicImport(load));
  for (const [owner, name] of readings) {
    const read = owner[name]!;
    owner[name] = function counted(this: unknown, ...given) {
      return untilThere(read.apply(this, given));
    };
  }
  const readAddress = Object.getOwnPropertyDescriptor(FileReader.prototype, "readAsDataURL")!.value as (bytes: Blob) => void;
  FileReader.prototype.readAsDataURL = function counted(this: FileReader, bytes) {
    void untilThere(new Promise((go) => this.addEventListener("loadend", go)));
    readAddress.call(this, bytes);
  };
  return followed;
}

// Before any other module, which may keep what it finds here: React does. A test imports this module by another address once more.
const followed = ((window as unknown as Page).followed ??= follow(window as unknown as Page));

/** Whether what is to happen soon happens almost at once, and what is to happen later does not. */
export function hurryTimers(isOn: boolean): void {
  followed.isHurried = isOn;
  followed.due.clear();
}

/** Of what is hurried, whether something is still to happen soon, or something is still being read: a part of the program, or bytes. */
export const isMoreToCome = (): boolean => followed.isHurried && (followed.due.size > 0 || followed.coming > 0);
