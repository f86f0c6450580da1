import type { DashboardFile, NodeFilesSummary } from "@busbar/contract/files/node-files.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { describe, expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { page } from "vitest/browser";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { FileBrowser } from "./file-browser.tsx";
import type { FileStart } from "./use-file-window.ts";

const getFiles = "GET /node-dashboard/{serial}/files";
const newest = 1_790_000_100;

const summary: NodeFilesSummary = {
  serialNumber: "10234",
  type: "Recorder",
  location: "Feed Pump 1",
  facility: "North Works",
  customer: "Acorn Mills",
  locationId: 7,
  timezone: "UTC",
  dataInterval: 900,
  isConnected: false,
  earliestTimestamp: newest - 86_400 * 30,
  latestTimestamp: newest,
};

const fileAt = (timestamp: number): DashboardFile => ({
  timestamp,
  fileName: `10234_${timestamp}`,
  processed: true,
  location: "Feed Pump 1",
  failedReason: null,
  sourceFileContents: null,
  fileContents: null,
  serialNumber: "10234",
  kind: "D",
  interval: 900,
  size: 1_500,
  receivedTimestamp: timestamp,
});

/** A node's files as the server gives them. */
function serve(times: readonly number[]) {
  const newestFirst = times.toSorted((a, b) => b - a).map(fileAt);
  return ({ query }: Record<string, unknown>) => {
    const { before, after } = query as Record<string, string | undefined>;
    if (after !== undefined) return newestFirst.filter(({ timestamp }) => timestamp > Number(after)).slice(-100);
    return newestFirst.filter(({ timestamp }) => before === undefined || timestamp < Number(before)).slice(0, 100);
  };
}

async function show(api: ReturnType<typeof fakeApi>, start: FileStart) {
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={api.call}>
          <FileBrowser
            summary={summary}
            kinds="all"
            intervalSeconds={900}
            start={start}
            onKinds={() => undefined}
            onStart={() => undefined}
            downloads={null}
          />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const scroller = () => screen.container.querySelector<HTMLElement>(".file-scroller")!;
  const rows = () => [...screen.container.querySelectorAll<HTMLElement>("tbody tr")];
  return { ...screen, scroller, rows };
}

test("FIL-03 files that are far apart leave nothing to scroll: what is older comes by itself", async () => {
  // One file a day: seventy intervals before the chosen date there is none.
  const times = Array.from({ length: 6 }, (_, day) => newest - 86_400 * day);
  const { rows, container } = await show(fakeApi({ [getFiles]: serve(times) }), newest - 86_400);
  await expect.poll(() => rows().map((row) => Number(row.dataset["timestamp"]))).toEqual(times);
  await expect
    .poll(() => container.querySelector(".file-foot")!.textContent)
    .toContain("6 files loaded, newest first, times in UTC. The latest is shown. The earliest is shown.");
});

test("FIL-03 a load that fails is tried again where the reader is", async () => {
  const answer = serve(Array.from({ length: 400 }, (_, index) => newest - 900 * index));
  const api = fakeApi({ [getFiles]: answer });
  const { rows, scroller, getByRole, getByText } = await show(api, "latest");
  await expect.poll(() => rows().length).toBe(100);
  api.answers[getFiles] = () => {
    throw new ApiError(500, "INTERNAL", "Something went wrong");
  };
  scroller().scrollTop = scroller().scrollHeight;
  await expect.element(getByText("Something went wrong")).toBeVisible();
  const place = scroller().scrollTop;
  expect(place).toBeGreaterThan(0);
  api.answers[getFiles] = answer;
  (getByRole("button", { name: "Try again" }).element() as HTMLButtonElement).click();
  await expect.poll(() => rows().length).toBe(200);
  expect(Math.abs(scroller().scrollTop - place)).toBeLessThan(60);
  await expect.element(getByText(/200 files loaded, .* The latest is shown\. Older ones below\./)).toBeVisible();
});

describe("A-13 address and list agree, both ways", () => {
  const times = Array.from({ length: 2_000 }, (_, index) => newest - 900 * index);

  /** A browser whose address is a variable: the list writes it, and so can someone else. */
  async function showAddressed(first: FileStart, files: readonly number[] = times) {
    // Not what the test before it left: on a narrow screen rows are blocks.
    await page.viewport(1_440, 900);
    const address: FileStart[] = [];
    let goTo: (start: FileStart) => void = () => undefined;
    let followed = first;
    function Addressed() {
      const [start, setStart] = useState(first);
      useEffect(() => {
        followed = start;
      }, [start]);
      useEffect(() => {
        goTo = setStart;
      }, []);
      return (
        <FileBrowser
          summary={summary}
          kinds="all"
          intervalSeconds={900}
          start={start}
          onKinds={() => undefined}
          onStart={(next) => {
            address.push(next);
            setStart(next);
          }}
          downloads={null}
        />
      );
    }
    const api = fakeApi({ [getFiles]: serve(files) });
    const screen = await render(
      <MantineProvider theme={theme}>
        <QueryClientProvider client={new QueryClient()}>
          <ApiContext value={api.call}>
            <Addressed />
          </ApiContext>
        </QueryClientProvider>
      </MantineProvider>,
    );
    const scroller = () => screen.container.querySelector<HTMLElement>(".file-scroller");
    /** The file under the header. */
    const top = () => {
      const element = scroller();
      if (!element) return undefined;
      const edge = element.getBoundingClientRect().top + (element.querySelector("thead")?.clientHeight ?? 0);
      const row = [...element.querySelectorAll<HTMLElement>("tbody tr")].find((each) => each.getBoundingClientRect().bottom > edge + 1);
      return row && Number(row.dataset["timestamp"]);
    };
    /** The address that the list has seen: what is written and taken back before it is drawn was never there. */
    const seen = () => followed;
    return { ...screen, api, scroller, top, address, seen, goTo: (start: FileStart) => goTo(start) };
  }

  test("A-13 after Go to latest nothing of the old place is left in the address, also when nothing scrolls", async () => {
    const { getByRole, top, address } = await showAddressed(newest - 900 * 700);
    await expect.poll(top).toBe(newest - 900 * 700);
    await getByRole("button", { name: "Tools" }).click();
    await getByRole("button", { name: "Go to latest file" }).click();
    await expect.poll(top).toBe(newest);
    expect(address.at(-1)).toBe("latest");
    await getByRole("button", { name: "Go to earliest file" }).click();
    expect(address.at(-1)).toBe("earliest");
    // What is in sight when it came to rest.
    await expect.poll(() => typeof address.at(-1)).toBe("number");
    await expect.poll(() => address.at(-1)).toBe(top());
  });

  test("FIL-02 a date is come to also where files are much closer to each other than their interval says", async () => {
    // One a minute, where one a quarter of an hour was to be expected: the date is three pages on.
    const { top } = await showAddressed(
      newest - 60 * 920,
      Array.from({ length: 1_200 }, (_, index) => newest - 60 * index),
    );
    await expect.poll(top).toBe(newest - 60 * 920);
  });

  test("A-13 the list follows an address that changes, whatever the list wrote before", async () => {
    const { api, top, address, seen, goTo, scroller } = await showAddressed("latest");
    await expect.poll(top).toBe(newest);
    for (const place of [300, 1_200, 40]) {
      goTo(newest - 900 * place);
      await expect.poll(top).toBe(newest - 900 * place);
    }
    goTo("latest");
    await expect.poll(top).toBe(newest);
    scroller()!.scrollTop = 1_000;
    await expect.poll(() => address.at(-1)).toBe(top());
    const written = address.at(-1)!;
    expect(written).not.toBe("latest");
    // It is written before it is followed: what follows must not see the address from before.
    await expect.poll(seen).toBe(written);
    // Back to the top: the address says so.
    scroller()!.scrollTop = 0;
    await expect.poll(seen).toBe("latest");
    goTo(written);
    await expect.poll(top).toBe(written);
    // Nor is what it wrote last taken for its own once it was left.
    goTo("latest");
    await expect.poll(top).toBe(newest);
    // At the top of what is loaded newer ones are still to come.
    goTo(newest - 900 * 1_200);
    await expect.poll(top).toBe(newest - 900 * 1_200);
    api.answers[getFiles] = () => new Promise<never>(() => undefined);
    scroller()!.scrollTop = 0;
    await expect.poll(top).toBeGreaterThan(newest - 900 * 1_200);
    await expect.poll(seen).toBe(top());
  });
});
