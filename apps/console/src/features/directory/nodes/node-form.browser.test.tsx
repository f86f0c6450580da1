import { nodeFormSchema } from "@busbar/contract/directory/node-fields.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import "@mantine/core/styles.css";
import { ApiContext } from "#api/api-context.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { NodeForm } from "./node-form.tsx";

test("NFM-01 every field that staff may write is in the form", async () => {
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={fakeApi({ "GET /node-containers": () => [] }).call}>
          <NodeForm node={undefined} onSaved={() => undefined} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await expect.element(screen.getByRole("button", { name: "Save" })).toBeInTheDocument();
  const missing = Object.keys(nodeFormSchema().shape).filter((name) => !screen.container.querySelector(`[name="${name}"]`));
  expect(missing).toEqual([]);
});
