import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ticksKey } from "#lib/ticks-key.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { TicksElsewhere } from "./ticks-elsewhere.tsx";
import { createTickStore, type WaitingTick } from "./waiting-ticks.ts";

const tick = (serial: string, taskTemplateId: number, refusal?: string): WaitingTick => ({
  serial,
  taskTemplateId,
  status: "COMPLETED",
  notes: "",
  revision: 1,
  madeAt: 1,
  ...(refusal === undefined ? {} : { refusal }),
});
const keep = (ticks: WaitingTick[]) => localStorage.setItem(ticksKey("robin"), JSON.stringify(ticks));
/** As another tab does. */
const keepElsewhere = (ticks: WaitingTick[], key: string | null = ticksKey("robin")) => {
  keep(ticks);
  window.dispatchEvent(new StorageEvent("storage", { key }));
};

test("what waits is said on every screen with its nodes, louder once something was refused, and tried again until it is sent", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => (vi.useRealTimers(), localStorage.clear()));
  keep([tick("10101", 101), tick("10101", 102), tick("10102", 101)]);
  // Without a network.
  const api = fakeApi({});
  const page = (username: string) => (
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={api.call}>
          <TicksElsewhere username={username} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>
  );
  const screen = await render(page("robin"));
  const said = () => {
    const notice = document.querySelector(".notice");
    return notice && `${notice.role}, ${notice.textContent}`;
  };
  expect(said()).toBe("alert, 3 deployment tasks wait to be sent: 1010110102");
  expect([...document.querySelectorAll("a")].map(({ hash }) => hash)).toEqual(["#/deployments/10101", "#/deployments/10102"]);
  const color = () => /--mantine-color-([a-z]+)/.exec(document.querySelector(".notice")!.getAttribute("style")!)![1];
  expect(color()).toBe("orange");
  const tries = () => api.asked.length;
  await expect.poll(tries).toBeGreaterThan(0);
  for (const again of [() => vi.advanceTimersByTime(15_000), () => window.dispatchEvent(new Event("online"))]) {
    const before = tries();
    // The one before is over.
    await expect.poll(() => (again(), tries())).toBeGreaterThan(before);
  }
  keepElsewhere([tick("10101", 101, "It was changed")]);
  await expect.poll(said).toBe("alert, 1 deployment task waits to be sent, 1 of them was not saved: 10101");
  expect(color()).toBe("red");
  // What was refused waits for the person.
  const before = tries();
  vi.advanceTimersByTime(60_000);
  window.dispatchEvent(new Event("online"));
  expect([tries(), vi.getTimerCount()]).toEqual([before, 0]);
  keepElsewhere([], null);
  await expect.poll(said).toBeNull();
  keepElsewhere([tick("10101", 101)], "another key");
  expect(said()).toBeNull();
  await screen.rerender(page("kim"));
  expect(said()).toBeNull();
  await screen.rerender(page("robin"));
  expect(said()).toBe("alert, 1 deployment task waits to be sent: 10101");
  await screen.unmount();
  expect(vi.getTimerCount()).toBe(0);
});

test("whoever looks at what waits learns of another tab's change until they look away", () => {
  onTestFinished(() => localStorage.clear());
  const changed = vi.fn<() => void>();
  const end = createTickStore(localStorage, "robin").subscribe(changed);
  keepElsewhere([tick("10101", 101)]);
  keepElsewhere([], "another key");
  expect(changed).toHaveBeenCalledTimes(1);
  end();
  keepElsewhere([]);
  expect(changed).toHaveBeenCalledTimes(1);
});
