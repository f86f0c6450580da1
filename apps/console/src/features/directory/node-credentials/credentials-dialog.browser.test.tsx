import { MantineProvider } from "@mantine/core";
import type { NodeCredentials, NodeCredentialState } from "@busbar/contract/directory/node-credentials.ts";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { unsavedEdits } from "#lib/unsaved-edits.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { CredentialsDialog } from "./credentials-dialog.tsx";

const state = (serialNumber: string, fields: Partial<NodeCredentialState> = {}): NodeCredentialState => ({
  serialNumber,
  state: "none",
  changedTimestamp: null,
  version: "",
  connected: false,
  isDecommissioned: false,
  customerName: "",
  facilityName: "",
  locationName: "",
  ...fields,
});
const made = (serialNumber: string): NodeCredentials => ({
  serialNumber,
  broker: "mqtts://nodes.example:8883",
  clientId: serialNumber,
  userName: serialNumber,
  password: `secret-of-${serialNumber}`,
  group: "n58",
  address: `mqtts://${serialNumber}:secret-of-${serialNumber}@nodes.example:8883?group=n58`,
});
const ask = "GET /node-credentials";
const issue = "POST /node-credentials";
const revoke = "POST /node-credentials/revocations";
const sheet = "POST /node-credentials/sheet";

async function show(api: ReturnType<typeof fakeApi>, serial?: string) {
  const onClose = vi.fn<() => void>();
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <CredentialsDialog serial={serial} onClose={onClose} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { screen, onClose };
}
/** The names of the files that are saved from now on. */
function followDownloads(): string[] {
  const names: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function note(this: HTMLAnchorElement) {
    names.push(this.download);
  });
  onTestFinished(() => click.mockRestore());
  return names;
}
const sent = (api: ReturnType<typeof fakeApi>, name: string) =>
  api.asked.filter(({ endpoint }) => endpoint === name).map(({ input }) => input["body"]);

test("one node: a code is asked for, the secret is shown once with its QR code, closing asks, and saving the sheet closes", async () => {
  const api = fakeApi({
    [ask]: () => [state("10101", { state: "in force", changedTimestamp: 1_790_000_000, version: "1790000000.25", connected: true })],
    [issue]: () => [made("10101")],
    [sheet]: () => new Blob(["%PDF"], { type: "application/pdf" }),
  });
  const { screen, onClose } = await show(api, "10101");
  await expect
    .element(screen.getByText("Gets new ones, the present ones are void at once: it is connected, and is disconnected"))
    .toBeVisible();
  const button = screen.getByRole("button", { name: "Issue new credentials" });
  await button.click();
  await expect.element(screen.getByText("Please enter 2FA code")).toBeVisible();
  expect(sent(api, issue)).toEqual([]);
  await screen.getByLabelText("2FA code").fill("123456");
  await button.click();
  await expect.element(screen.getByText("secret-of-10101", { exact: true })).toBeVisible();
  expect(sent(api, issue)).toEqual([{ nodes: [{ serialNumber: "10101", version: "1790000000.25" }], code: "123456" }]);
  await expect.element(screen.getByRole("img", { name: "QR code of the credentials of node 10101" })).toBeVisible();

  await screen.getByRole("button", { name: "Close" }).click();
  await expect.element(screen.getByText(/These credentials are shown once and are lost when this closes/)).toBeVisible();
  await screen.getByRole("button", { name: "Back to the credentials" }).click();
  expect(onClose).not.toHaveBeenCalled();
  const saved = followDownloads();
  await screen.getByRole("button", { name: "Sheet for the installer (PDF)" }).click();
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
  expect(saved).toEqual(["node-10101-credentials.pdf"]);
  expect(sent(api, sheet)).toEqual([{ credentials: [{ serialNumber: "10101", password: "secret-of-10101" }] }]);
});

test("a delivery: who is left out is said, one code makes the others, and a refusal keeps the plan", async () => {
  let answer: () => NodeCredentials[] = () => {
    throw new ApiError(409, "CONFLICT", "The credentials of node 10102 were changed meanwhile. Look at them again");
  };
  const api = fakeApi({
    [ask]: () => [state("10101"), state("10102"), state("10104", { isDecommissioned: true })],
    [issue]: () => answer(),
    [sheet]: () => new Blob(["%PDF"], { type: "application/pdf" }),
  });
  const { screen } = await show(api);
  const serials = screen.getByLabelText("Serial numbers");
  await serials.fill("10101-10104, 10102");
  await screen.getByRole("button", { name: "Continue" }).click();
  await expect.element(screen.getByText("10102 is listed twice")).toBeVisible();
  await serials.fill("10101-10104");
  await screen.getByRole("button", { name: "Continue" }).click();
  await expect.element(screen.getByText("Left out: there is no such node")).toBeVisible();
  await expect.element(screen.getByText("Left out: it is decommissioned")).toBeVisible();
  // The numbers that were entered are not thrown away unasked.
  expect(unsavedEdits.exist()).toBe(true);
  const button = screen.getByRole("button", { name: "Issue new credentials of 2 nodes" });
  await screen.getByLabelText("2FA code").fill("123456");
  await button.click();
  await expect.element(screen.getByRole("alert").getByText(/credentials of node 10102 were changed meanwhile/)).toBeVisible();
  await expect.element(screen.getByLabelText("2FA code")).toHaveValue("");
  answer = () => [made("10101"), made("10102")];
  await screen.getByLabelText("2FA code").fill("654321");
  await button.click();
  await expect.element(screen.getByText("secret-of-10102", { exact: true })).toBeVisible();
  const nodes = ["10101", "10102"].map((serialNumber) => ({ serialNumber, version: "" }));
  expect(sent(api, issue)).toEqual([
    { nodes, code: "123456" },
    { nodes, code: "654321" },
  ]);
  const saved = followDownloads();
  // What could not be saved is not kept.
  api.answers[sheet] = () => Promise.reject(new ApiError(503, "UNAVAILABLE", "It is away"));
  await screen.getByRole("button", { name: /PDF/ }).click();
  await expect.element(screen.getByRole("alert").getByText("It is away")).toBeVisible();
  expect(unsavedEdits.exist()).toBe(true);
  await screen.getByRole("button", { name: "Save CSV" }).click();
  await expect.poll(() => unsavedEdits.exist()).toBe(false);
  api.answers[sheet] = () => new Blob(["%PDF"], { type: "application/pdf" });
  await screen.getByRole("button", { name: /PDF/ }).click();
  await expect.poll(() => saved).toEqual(["node-credentials.csv", "node-credentials.pdf"]);
});

test("credentials in force are revoked with a code", async () => {
  const api = fakeApi({
    [ask]: () => [state("10101", { state: "in force", changedTimestamp: 1_790_000_000, version: "1790000000.25" })],
    [revoke]: () => ({ revoked: 1 }),
  });
  const { screen } = await show(api, "10101");
  await screen.getByLabelText("2FA code").fill("123456");
  await screen.getByRole("button", { name: "Revoke credentials" }).click();
  await expect.element(screen.getByText(/Credentials of 1 node revoked/)).toBeVisible();
  expect(sent(api, revoke)).toEqual([{ nodes: [{ serialNumber: "10101", version: "1790000000.25" }], code: "123456" }]);
});

test("of a delivery those in force are revoked, and no others", async () => {
  const api = fakeApi({
    [ask]: () => [state("10101", { state: "in force", version: "1790000000.25" }), state("10102")],
    [revoke]: () => ({ revoked: 1 }),
  });
  const { screen } = await show(api);
  await screen.getByLabelText("Serial numbers").fill("10101-10102");
  await screen.getByRole("button", { name: "Continue" }).click();
  await screen.getByLabelText("2FA code").fill("123456");
  await screen.getByRole("button", { name: "Revoke credentials" }).click();
  await expect.poll(() => sent(api, revoke)).toEqual([{ nodes: [{ serialNumber: "10101", version: "1790000000.25" }], code: "123456" }]);
});
