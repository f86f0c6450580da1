import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { overview } from "./node-page.fixture.ts";
import { VerdictPanel } from "./verdict-panel.tsx";

test("findings about missing data lead to their coverage, others to nothing", async () => {
  const verdict = { kind: "late" as const, gravity: "look" as const, sentence: "No scalars since 00:15 PST.", since: null };
  const finding = (kind: "files" | "clock", sentence: string) => ({ ...verdict, kind, sentence, detail: "" });
  const api = fakeApi({
    "GET /nodes/{serial}/verdict": () => ({
      verdict,
      evidence: [
        { ...verdict, detail: "" },
        finding("files", "No 15-minute file since 00:15 PST."),
        finding("files", "No one-second file since 00:15 PST."),
        finding("clock", "Its clock is 2 minutes ahead."),
      ],
      history: [],
    }),
  });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={api.call}>
          <VerdictPanel node={overview()} onTried={() => undefined} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const links = screen.getByRole("link", { name: "Data coverage" });
  await expect.element(links.first()).toBeVisible();
  expect(links.elements().map((link) => link.getAttribute("href"))).toEqual(
    ["scalars", "D", "S"].map((kind) => `#/coverage?kind=${kind}&show=all&find=10001&node=10001`),
  );
});
