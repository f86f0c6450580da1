import { nodeFormSchema } from "@busbar/contract/directory/node-fields.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { NodeForm } from "./node-form.tsx";
import { sampleNode } from "./nodes.fixture.ts";

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

test("NFM-05 the containers to choose from are in order, each once, and none is without a name", async () => {
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={fakeApi({ "GET /node-containers": () => ["Rack 2", "Rack 1"] }).call}>
          <NodeForm node={undefined} onSaved={() => undefined} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  await screen.getByRole("combobox", { name: "Container", exact: true }).click();
  await expect.element(screen.getByRole("option", { name: "Rack 1" })).toBeVisible();
  expect(
    screen
      .getByRole("option")
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(["Rack 1", "Rack 2"]);
});

test("B-9 a node that becomes Deployed without a wiring verdict is asked why with what was found, and only then", async () => {
  const node = { ...sampleNode, wiringVerdict: "The CT of phase 2 is turned round." };
  const patchNode = "PATCH /nodes/{id}";
  const api = fakeApi({ "GET /node-containers": () => ["Rack 1"], [patchNode]: () => node });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={api.call}>
          <NodeForm node={node} onSaved={() => undefined} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const reason = screen.getByRole("textbox", { name: "Reason for Deployed without a wiring verdict" });
  await expect.element(screen.getByRole("button", { name: "Save" })).toBeInTheDocument();
  expect(reason.elements()).toHaveLength(0);
  await screen.getByRole("combobox", { name: "Deployment Status" }).click();
  await screen.getByRole("option", { name: "Deployed", exact: true }).click();
  await expect.element(screen.getByText("Wiring: The CT of phase 2 is turned round.")).toBeVisible();
  await expect.element(reason).toHaveAttribute("aria-invalid", "true");
  await reason.fill("The machine runs in spring");
  await screen.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(() => api.asked.find(({ endpoint }) => endpoint === patchNode)?.input)
    .toEqual({
      params: { id: "7" },
      body: { newDeploymentStatus: "Deployed", wiringReason: "The machine runs in spring", revision: 3 },
    });
});
