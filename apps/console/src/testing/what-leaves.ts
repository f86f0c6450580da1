import { vi } from "vitest";

/** What leaves the page, which does not leave it here. */
const left: Promise<string>[] = [];
const leave = (line: string | Promise<string>): void => void left.push(Promise.resolve(line));

async function fileLine(file: Blob): Promise<string> {
  return file.type.startsWith("text") ? `file\n${(await file.text()).trim()}`.replaceAll("\n", "\n    ") : `file of ${file.type}`;
}

/** Pictures that are being made. */
const drawn: Promise<void>[] = [];

export function keepInPage(): void {
  const tab = {
    opener: null,
    closed: false,
    document: { title: "" },
    location: { replace: (to: string) => leave(`tab at ${to}`) },
    close: () => leave("tab closed"),
  };
  vi.spyOn(window, "open").mockImplementation((to) => {
    leave(`tab ${to === undefined ? "" : String(to)}`);
    return tab as unknown as Window;
  });
  vi.spyOn(window, "print").mockImplementation(() => leave("print"));
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => leave(`copied ${text}`));
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    leave(fileLine(file as Blob));
    return "blob:kept";
  });
  const toBlob = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, "toBlob")!.value as HTMLCanvasElement["toBlob"];
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation(function draw(this: HTMLCanvasElement, take, ...how) {
    const { promise, resolve } = Promise.withResolvers<void>();
    drawn.push(promise);
    toBlob.call(this, (blob) => (take(blob), resolve()), ...how);
  });
  const click = Object.getOwnPropertyDescriptor(HTMLElement.prototype, "click")!.value as () => void;
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function press(this: HTMLAnchorElement) {
    if (this.download === "") click.call(this);
    else leave(`saved as ${this.download}`);
  });
}

/** What would have left since the last time. */
export async function takeLeft(): Promise<string[]> {
  await Promise.all(drawn.splice(0));
  return await Promise.all(left.splice(0));
}
