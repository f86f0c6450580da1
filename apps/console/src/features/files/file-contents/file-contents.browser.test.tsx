import type { FileContents as Contents } from "@busbar/contract/files/node-files.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { FileContents, type FileContentsProps } from "./file-contents.tsx";

const fileName = "10001_20260106T143000Z_S0900.txt";

/** @returns how many samples are plotted, if any are */
async function show(part: Partial<Contents>) {
  const [timestamp, receivedTimestamp] = [1_767_709_800, 1_767_709_810];
  const file = { fileName, serialNumber: 10_001, kind: "S", interval: 900, timestamp, receivedTimestamp, timezone: null, size: 9, ...part };
  const renderPlot = vi.fn<FileContentsProps["renderPlot"]>();
  const screen = await render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={fakeApi({ "GET /node-dashboard/files/{fileName}": () => file }).call}>
          <FileContents fileName={fileName} renderPlot={renderPlot} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await expect.element(screen.getByRole("heading", { name: "Raw file text" })).toBeVisible();
  return { screen, plotted: renderPlot.mock.calls.at(-1)?.[0].times.length };
}

const head = "#VDF=2\n#kind=S\nt,lf,i1,i2,i3,v1,v2,v3,p1,p2,p3,flag\n";
const sample = (second: number) => `${second},60,1,2,3,4,5,6,7,8,9,1\n`;

test.each([
  ["two samples", { fileContents: head + sample(100) + sample(101), contentsLength: 9 }, 2],
  ["one sample, which is no line", { fileContents: head + sample(100), contentsLength: 9 }, undefined],
  ["data of another kind", { kind: "D", fileContents: head + sample(100) + sample(101), contentsLength: 9 } as const, undefined],
])("FIL-06 the plot of a file with %s", async (_, part, count) => {
  const { plotted } = await show(part);
  expect(plotted).toBe(count);
});

test.each([
  [{ fileContents: null, contentsLength: null }, ["The stored bytes of this file cannot be read."]],
  [{ fileContents: "", contentsLength: 0 }, ["The file is empty."]],
  [
    { fileContents: "a", contentsLength: 2_500_000, isTruncated: true },
    ["The first 1 MB of 2.5 MB is shown. Download the file to read the rest."],
  ],
  [
    { fileContents: "a", contentsLength: null, isTruncated: true },
    ["The file could not be unpacked as a whole; what could be read is shown."],
  ],
])("FIL-06 of a text that is not there, or not as a whole, it is said which: %o", async (part, words) => {
  const { screen } = await show(part);
  for (const each of words) await expect.element(screen.getByText(each)).toBeVisible();
});
