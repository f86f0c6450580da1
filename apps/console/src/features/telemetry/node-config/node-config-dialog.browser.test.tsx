import { configCatalogue } from "@busbar/contract/telemetry/config-catalogue.ts";
import { configDatatypes } from "@busbar/contract/telemetry/config-rules.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { PutBack } from "#ui/put-back.tsx";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { NodeConfigDialog } from "./node-config-dialog.tsx";

const vendorValues = Object.fromEntries(configDatatypes.map((datatype) => [`vendor_${datatype}`, "1"]));
const types = Object.fromEntries(configDatatypes.map((datatype) => [`vendor_${datatype}`, datatype]));

async function show(values: Record<string, string>, answers: Parameters<typeof fakeApi>[0] = {}, old: Record<string, string> = {}) {
  const api = fakeApi({
    "GET /nodes/{serial}/config": () => values,
    "GET /nodes/{serial}/configtypes": () => types,
    "PATCH /nodes/{serial}/config/{key}/{newValue}/2fa/{code}/previous/{oldValue}": () => "the node's word",
    ...answers,
  });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <PutBack object="node/10604" values={old}>
            <NodeConfigDialog serial="10604" onClose={() => {}} />
          </PutBack>
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const newValue = (key: string) => screen.getByLabelText(`New value of ${key}`, { exact: true }).first();
  await expect.element(newValue("np_voltage")).toBeVisible();
  return {
    screen,
    newValue,
    row: (key: string) => screen.getByRole("row", { name: new RegExp(`^${key} `) }),
    asked: (method: string) => api.asked.filter(({ endpoint }) => endpoint.startsWith(method)).map(({ input }) => input),
  };
}

test("A-11 CFG-02 every row has a new value and a save icon: of the catalogue, of the node alone, reported or not; the keyboard begins at the passcode", async () => {
  const { screen, newValue } = await show({ ...vendorValues, np_voltage: "460" });
  await expect.element(screen.getByLabelText("2FA PASSCODE")).toHaveFocus();
  for (const key of [...configCatalogue.map(({ key }) => key), ...Object.keys(vendorValues)]) {
    await expect.element(newValue(key)).toBeEnabled();
    await expect.element(screen.getByRole("button", { name: `Save ${key}`, exact: true })).toBeVisible();
  }
});

/** The rows of which a value is on its way. */
const sending = () => [...document.querySelectorAll<HTMLElement>("tr button[data-loading]")].map(({ ariaLabel }) => ariaLabel);

test("A-11 a value outside the reported datatype is refused at once, one inside is sent with the previous one", async () => {
  const answer = Promise.withResolvers<string>();
  const { screen, newValue, asked } = await show(vendorValues, {
    "PATCH /nodes/{serial}/config/{key}/{newValue}/2fa/{code}/previous/{oldValue}": () => answer.promise,
  });
  await screen.getByLabelText("2FA PASSCODE").fill("123456");
  await newValue("vendor_Int8").fill("128");
  await expect.element(screen.getByText("vendor_Int8 must be a whole number from -128 to 127")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Save vendor_Int8" })).toBeDisabled();
  await newValue("vendor_Int8").fill("127");
  await newValue("vendor_Int16").fill("3");
  await screen.getByRole("button", { name: "Save vendor_Int8" }).click();
  await expect.poll(sending).toEqual(["Save vendor_Int8"]);
  await expect.element(screen.getByRole("button", { name: "Save vendor_Int16" })).toBeDisabled();
  answer.resolve("the node's word");
  await expect.element(screen.getByText("the node's word")).toBeVisible();
  expect(asked("PATCH")).toEqual([{ params: { serial: "10604", key: "vendor_Int8", newValue: "127", code: "123456", oldValue: "1" } }]);
});

test("CFG-05 a code is gone once the node may have been asked with it, and stays where nothing was sent", async () => {
  const answers: (ApiError | string)[] = [
    new ApiError(503, "NODE_NOT_CONNECTED", "Node 10604 is not connected"),
    new ApiError(503, "NODE_DID_NOT_ANSWER", "Node 10604 did not answer"),
    "the node's word",
  ];
  const { screen, newValue, asked } = await show(vendorValues, {
    "PATCH /nodes/{serial}/config/{key}/{newValue}/2fa/{code}/previous/{oldValue}": () => {
      const next = answers.shift()!;
      if (next instanceof ApiError) throw next;
      return next;
    },
  });
  const code = screen.getByLabelText("2FA PASSCODE");
  await newValue("vendor_Int8").fill("127");
  for (const [words, left] of [
    ["Node 10604 is not connected", "111111"],
    ["Node 10604 did not answer", ""],
    ["the node's word", ""],
  ] as const) {
    await code.fill("111111");
    await screen.getByRole("button", { name: "Save vendor_Int8" }).click();
    await expect.element(screen.getByText(words)).toBeVisible();
    await expect.element(code).toHaveValue(left);
  }
  expect(asked("PATCH")).toHaveLength(3);
});

test("an old value that is to be put back is entered, and sent only when it is saved", async () => {
  const { screen, newValue, asked } = await show({ i_noise: "2", v_noise: "700" }, {}, { i_noise: "16" });
  await expect.element(newValue("i_noise")).toHaveValue("16");
  await expect.element(newValue("v_noise")).toHaveValue("700");
  expect(asked("PATCH")).toEqual([]);
  await screen.getByLabelText("2FA PASSCODE").fill("123456");
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByText("the node's word")).toBeVisible();
  expect(asked("PATCH")).toMatchObject([{ params: { key: "i_noise", newValue: "16", oldValue: "2" } }]);
});

test("CFG-06 SEC-03 several values are saved together with one passcode, and each shows what became of it", async () => {
  const changes = [
    { key: "np_hp", oldValue: "50", newValue: "60" },
    { key: "np_sf", oldValue: "1.15", newValue: "1.2" },
    { key: "v_noise", oldValue: "5", newValue: "6" },
  ];
  const node = { state: "waiting", reason: "", confirmedCount: 0, changes };
  const failed = { ...node, state: "refused", confirmedCount: 1, reason: "np_sf: Node 10604 does not allow 1.2 for np_sf" };
  const batch = {
    id: 12,
    state: "ready",
    counts: { sending: 0 },
    hash: "a".repeat(64),
    atOnce: 20,
    perMinute: null,
    firstWave: 1,
    stopPercent: 10,
  };
  let isStarted = false;
  const made = Promise.withResolvers<void>();
  const { screen, newValue, row, asked } = await show(
    { np_hp: "50", np_sf: "1.15", v_noise: "5" },
    {
      "POST /batches": () => made.promise.then(() => batch),
      "GET /batches/{id}": () => ({ ...batch, state: isStarted ? "done" : "ready" }),
      "GET /batches/{id}/nodes": () => [isStarted ? failed : node],
      "POST /batches/{id}/start": () => {
        isStarted = true;
        return batch;
      },
    },
  );
  await newValue("np_hp").fill("60");
  await newValue("np_sf").fill("1.20");
  await newValue("v_noise").fill("6");
  await screen.getByRole("button", { name: "Save 3 values" }).click();
  await expect.element(screen.getByText("Missing 2FA Passcode")).toBeVisible();
  expect(asked("POST")).toEqual([]);
  await expect.element(screen.getByLabelText("2FA PASSCODE")).toHaveFocus();
  await userEvent.keyboard("123456");
  await expect.element(screen.getByText("Missing 2FA Passcode")).not.toBeInTheDocument();
  await userEvent.keyboard("{Enter}");
  await expect.poll(sending).toEqual(["Save np_hp", "Save np_sf", "Save v_noise"]);
  made.resolve();
  await expect
    .element(screen.getByRole("alert"))
    .toHaveTextContent("Changed in part 1 of 3 values changed on node 10604. np_sf: Node 10604 does not allow 1.2 for np_sf (Batch 12)");
  await expect.element(row("np_hp")).toMatchTextContent("60changed");
  await expect.element(row("np_sf")).toMatchTextContent("1.15refused");
  await expect.element(row("v_noise")).toMatchTextContent("5not sent");
  await expect.element(newValue("v_noise")).toHaveValue("6");
  await expect.element(screen.getByLabelText("2FA PASSCODE")).toHaveValue("");
  await expect.element(screen.getByRole("button", { name: "Save 2 values" })).toBeEnabled();
  expect(asked("POST")).toMatchObject([
    { body: { serialNumbers: ["10604"], values: changes.map(({ key, newValue: value }) => ({ key, value })) } },
    { params: { id: "12" }, body: { hash: batch.hash, code: "123456" } },
  ]);
});
