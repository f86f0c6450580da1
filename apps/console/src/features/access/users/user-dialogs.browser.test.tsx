import type { UserKey } from "@busbar/contract/access/user-keys.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { formatDateTime, formatLoginTime } from "#lib/format-date.ts";
import { PutBack } from "#ui/put-back.tsx";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { openAnalytics } from "./open-analytics.ts";
import { UserActions } from "./user-actions.tsx";
import { UserMarks, userClass } from "./user-cells.tsx";
import { UserDialogs, type OpenUserDialog } from "./user-dialogs.tsx";
import { sampleUser } from "./users.fixture.ts";

const user = sampleUser(7, { username: "rowan" });
const customers = { "GET /customers/names": () => [{ id: 1, code: "alder", name: "Alder Pumping" }], "GET /users": () => [user] };

async function open(dialog: OpenUserDialog, answers: Parameters<typeof fakeApi>[0] = {}, old = {}) {
  const api = fakeApi({ ...customers, ...answers });
  const onClose = vi.fn();
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <PutBack object="user/7" values={old}>
            <UserDialogs dialog={dialog} renderMore={({ username }) => <em>More of {username}</em>} onClose={onClose} />
          </PutBack>
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const sent = () => api.asked.filter(({ endpoint }) => !endpoint.startsWith("GET"));
  return { api, screen, sent, onClose, button: (name: string) => screen.getByRole("button", { name, exact: true }) };
}
afterEach(() => vi.restoreAllMocks());

test("USR-03, USR-04 a new user is sent whole and active, and then edited with what was changed alone", async () => {
  const made = sampleUser(9, { username: "lee", firstName: "Lee", lastName: "Fox", email: "lee@alder.example", revision: 3 });
  const { screen, sent, button } = await open(
    { kind: "add" },
    { "POST /users": () => made, "PATCH /users/{id}": () => ({ ...made, activeStatus: "SUSPENDED", revision: 4 }) },
  );
  await expect.element(screen.getByRole("dialog", { name: "Add User" })).toBeVisible();
  await expect.element(screen.getByLabelText(/^Username/)).toHaveFocus();
  await expect.element(screen.getByRole("combobox", { name: "Active Status" })).toBeDisabled();
  await expect.element(button("Save")).toBeDisabled();
  await userEvent.keyboard("LEE");
  for (const [label, text] of [
    ["First Name", "Lee"],
    ["Last Name", "Fox"],
    ["Email", "lee@alder.example"],
    ["Password", "Abcd-1234"],
    ["Confirm Password", "Abcd-1235"],
  ] as const)
    await screen.getByLabelText(new RegExp(`^${label}`)).fill(text);
  const customer = screen.getByRole("combobox", { name: "Customer" });
  await customer.click();
  await expect
    .poll(() =>
      screen
        .getByRole("option")
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(["Alder Pumping (alder)"]);
  await screen.getByRole("option").click();
  await screen.getByLabelText("Receive Daily Report").click();
  await expect.element(button("Save")).toBeDisabled();
  await screen.getByLabelText(/^Confirm Password/).fill("Abcd-1234");
  expect(screen.getByText("More of lee").elements()).toEqual([]);
  await button("Save").click();
  await expect.element(screen.getByText(/^User saved successfully/)).toBeVisible();
  await expect.element(screen.getByRole("dialog", { name: "Edit User lee" })).toBeVisible();
  await expect.element(screen.getByText("More of lee")).toBeVisible();
  expect(screen.getByLabelText(/^Password/).elements()).toEqual([]);
  await screen.getByRole("combobox", { name: "Active Status" }).click();
  await screen.getByRole("option", { name: "SUSPENDED" }).click();
  await button("Save").click();
  await expect
    .poll(() => sent().map(({ input }) => input))
    .toEqual([
      {
        body: {
          username: "lee",
          firstName: "Lee",
          lastName: "Fox",
          email: "lee@alder.example",
          customerCode: "alder",
          password: "Abcd-1234",
          passwordConfirm: "Abcd-1234",
          activeStatus: "ACTIVE",
          receiveDailyReport: true,
          accessAnalytics: false,
          analyticsEarlyAccess: false,
          demoUser: false,
          internalUser: false,
          receiveConnectivityNotifications: true,
          receiveFaultLibraryNotifications: true,
          autoSubscribeAllFacilities: false,
        },
      },
      { params: { id: "9" }, body: { activeStatus: "SUSPENDED", revision: 3 } },
    ]);
});

test("USR-03 staff may belong to no customer; a customer that is not listed stays; roles are said", async () => {
  const staff = sampleUser(8, { administrator: true, customerCode: "gone", roles: ["systemAdministrator"] });
  const { screen } = await open({ kind: "edit", user: staff });
  await expect.element(screen.getByText("Special Privileges (systemAdministrator)")).toBeVisible();
  await expect.element(screen.getByText("Another customer revokes the user's keys")).toBeVisible();
  const customer = screen.getByRole("combobox", { name: "Customer" });
  await expect.element(customer).toHaveValue("gone");
  await customer.click();
  await expect
    .poll(() =>
      screen
        .getByRole("option")
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(["None: staff", "gone", "Alder Pumping (alder)"]);
});

test("USR-05 a password is set when both are the same; staff need a longer one", async () => {
  const { screen, sent, button } = await open(
    { kind: "password", user: { ...user, administrator: true } },
    { "PATCH /users/{id}/admin/password": () => ({}) },
  );
  await expect.element(screen.getByText(/^12 or more of letters/)).toBeVisible();
  await screen.getByLabelText(/^New Password/).fill("Abcdefgh-1234");
  await screen.getByLabelText(/^Confirm Password/).fill("Abcdefgh-1235");
  await expect.element(button("Change Password")).toBeDisabled();
  await screen.getByLabelText(/^Confirm Password/).fill("Abcdefgh-1234");
  await button("Change Password").click();
  await expect.element(screen.getByText(/^Password changed successfully/)).toBeVisible();
  await expect.element(screen.getByLabelText(/^New Password/)).toHaveValue("");
  expect(sent().map(({ input }) => input)).toEqual([{ params: { id: "7" }, body: { newPassword: "Abcdefgh-1234" } }]);
  await screen.unmount();
  const { screen: ofUser } = await open({ kind: "password", user });
  await expect.element(ofUser.getByText(/^8 or more of letters/)).toBeVisible();
});

test("USR-06, SEC-03 deleting a user and taking a second factor away want a code, and say whose it is", async () => {
  const first = await open({ kind: "delete", user }, { "DELETE /users/{id}/2fa/{code}": () => ({}) });
  await expect.element(first.screen.getByRole("dialog", { name: "Delete User rowan?" })).toBeVisible();
  await expect.element(first.screen.getByText(/^Rowan Ashdown \(user7@alder\.example\) is deleted for good/)).toBeVisible();
  await first.button("Delete").click();
  await expect.element(first.screen.getByText("Please enter 2FA code")).toBeVisible();
  await first.screen.getByLabelText("2FA code").fill("123456");
  await first.button("Delete").click();
  await expect.element(first.screen.getByText("User rowan deleted successfully")).toBeVisible();
  expect(first.sent().map(({ input }) => input)).toEqual([{ params: { id: "7", code: "123456" } }]);
  await first.screen.unmount();

  const nameless = { ...user, firstName: "", lastName: "" };
  const second = await open(
    { kind: "reset-two-factor", user: nameless },
    {
      "DELETE /users/{id}/secondfactor/2fa/{code}": () => {
        throw new ApiError(403, "WRONG", "The code is wrong");
      },
    },
  );
  await expect.element(second.screen.getByText(/^Be sure that rowan asked for it\./)).toBeVisible();
  await second.screen.getByLabelText("2FA code").fill("1");
  await second.button("Reset").click();
  await expect.element(second.screen.getByRole("alert")).toHaveTextContent("The code is wrong");
  await second.button("Reset").click();
  await expect.element(second.screen.getByText("Please enter 2FA code")).toBeVisible();
  second.api.answers["DELETE /users/{id}/secondfactor/2fa/{code}"] = () => ({});
  await second.screen.getByLabelText("2FA code").fill("654321");
  await second.button("Reset").click();
  await expect.element(second.screen.getByText("rowan has no two-factor authentication any more")).toBeVisible();
  expect(second.sent().at(-1)?.input).toEqual({ params: { id: "7", code: "654321" } });
});

test("USR-07 the login history has the newest sign-ins, or says that there is none", async () => {
  const at = 1_790_000_000;
  const { screen } = await open(
    { kind: "history", user },
    {
      "GET /users/{id}/sessions": () => [
        { timestamp: at, administrator: true },
        { timestamp: at - 60, administrator: false },
      ],
    },
  );
  await expect.element(screen.getByRole("table")).toBeVisible();
  const rows = [...document.querySelectorAll("tbody tr")].map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(rows).toEqual([
    [formatLoginTime(at), "Yes"],
    [formatLoginTime(at - 60), "No"],
  ]);
  await screen.unmount();
  const none = await open({ kind: "history", user }, { "GET /users/{id}/sessions": () => [] });
  await expect.element(none.screen.getByText("rowan has not signed in within the two years that are kept")).toBeVisible();
});

test("USR-09 keys of both kinds are made, shown once, listed and revoked after a second press", async () => {
  const now = Math.floor(Date.now() / 1000);
  const key = (id: number, kind: "api" | "access", more: Partial<UserKey> = {}) =>
    ({ id, kind, key: `k${id}`, name: `name${id}`, expiry: now + 86_400, scopes: ["read"], lastUsedTimestamp: null, ...more }) as UserKey;
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
  let refusal: ApiError | undefined;
  const { screen, sent, button } = await open(
    { kind: "keys", user },
    {
      "GET /users/{id}/apikeys": () => [`k1, name1, ${iso(now - 60)}`, `k9, unknown, ${iso(now + 600)}`],
      "GET /users/{id}/keys": () => [
        key(1, "api", { scopes: ["read", "upload"], lastUsedTimestamp: now - 7_200 }),
        key(2, "access", { scopes: ["upload"] }),
      ],
      "POST /users/{id}/apikeys/{name}": () => {
        if (refusal) throw refusal;
        return { key: "bbk_secret" };
      },
      "POST /users/{id}/accesskeys/{name}": () => ({ accessKey: "AK", secretToken: "ST" }),
      "DELETE /users/{id}/keys/{keyId}": () => ({}),
    },
  );
  const rowsOf = (name: string) =>
    [...screen.getByRole("region", { name, exact: true }).element().querySelectorAll("tbody tr")].map((row) =>
      [...row.children].map(({ textContent }) => textContent),
    );
  await expect.element(screen.getByRole("region", { name: "API keys" })).toBeVisible();
  expect(rowsOf("API keys")).toEqual([
    ["k1", "name1", `${formatDateTime(now - 60)} expired`, "read, upload", "2 hours ago", "Revoke"],
    ["k9", "unknown", `${formatDateTime(now + 600)} `, "–", "Never", ""],
  ]);
  expect(rowsOf("Access keys")).toEqual([["k2", "name2", `${formatDateTime(now + 86_400)} `, "upload", "Never", "Revoke"]]);

  await expect.element(button("Create API Key")).toBeDisabled();
  await expect.element(button("Create Access Key")).toBeDisabled();
  const name = screen.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("no blanks");
  await expect.element(button("Create Access Key")).toBeDisabled();
  await name.fill("plant");
  await button("Create API Key").click();
  const shown = screen.getByRole("region", { name: "New key" });
  await expect
    .element(shown)
    .toHaveTextContent("Please copy the secret token now in a safe place. It will never be shown again.API keybbk_secret");
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await button("Copy API key").click();
  expect(copied.mock.calls).toEqual([["bbk_secret"]]);
  await expect.element(name).toHaveValue("");
  await name.fill("feed");
  await screen.getByRole("combobox", { name: "Scope" }).click();
  await screen.getByRole("option", { name: "upload", exact: true }).click();
  await screen.getByRole("combobox", { name: "Expires in" }).click();
  await screen.getByRole("option", { name: "30 days" }).click();
  await button("Create Access Key").click();
  await expect
    .element(shown)
    .toHaveTextContent("Please copy the secret token now in a safe place. It will never be shown again.accessKeyAKsecretTokenST");
  refusal = new ApiError(409, "TAKEN", "There is a key of this name", "name");
  await name.fill("again");
  await button("Create API Key").click();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("There is a key of this name");
  // A secret of before is not taken for one of this key.
  expect(shown.elements()).toEqual([]);
  expect(sent().map(({ input }) => input)).toEqual([
    { params: { id: "7", name: "plant" }, body: { scopes: ["read", "upload"], expiresInDays: 365 } },
    { params: { id: "7", name: "feed" }, body: { scopes: ["upload"], expiresInDays: 30 } },
    { params: { id: "7", name: "again" }, body: { scopes: ["upload"], expiresInDays: 30 } },
  ]);

  await screen.getByRole("button", { name: "Revoke name2" }).click();
  await screen.getByRole("button", { name: "Keep name2" }).click();
  await screen.getByRole("button", { name: "Revoke name2" }).click();
  await screen.getByRole("button", { name: "Revoke name2 now" }).click();
  await expect.element(screen.getByText(/^Key name2 revoked/)).toBeVisible();
  expect(sent().at(-1)).toEqual({ endpoint: "DELETE /users/{id}/keys/{keyId}", input: { params: { id: "7", keyId: "2" } } });
});

test("USR-08 a user without a first name gets no welcome e-mail", async () => {
  const { screen, button } = await open({ kind: "welcome", user: { ...user, firstName: " ", email: "" } });
  await expect.element(screen.getByText(/goes to an address that is not known\. It names the account/)).toBeVisible();
  await expect.element(screen.getByText("User does not have a first name. Please set it before you send a welcome email.")).toBeVisible();
  await expect.element(button("Send Email")).toBeDisabled();
});

test("USR-10 analytics open in a tab of their own, at a web address alone; what fails closes it and is said", async () => {
  const opened = (isAllowed = true) => {
    const tab = { opener: {}, location: { replace: vi.fn() }, close: vi.fn() };
    vi.spyOn(window, "open").mockReturnValue(isAllowed ? (tab as unknown as Window) : null);
    return tab;
  };
  const call = (address: string) => fakeApi({ "GET /users/{id}/url/analytics": () => address }).call;
  const good = opened();
  await openAnalytics(call("https://a.example/x"), user);
  expect([good.opener, good.location.replace.mock.calls, good.close.mock.calls]).toEqual([null, [["https://a.example/x"]], []]);
  const bad = opened();
  await expect(openAnalytics(call("javascript:alert(1)"), user)).rejects.toThrow("The server gave an address that is no web page");
  expect([bad.location.replace.mock.calls, bad.close.mock.calls.length]).toEqual([[], 1]);
  opened(false);
  await expect(openAnalytics(call("https://a.example/x"), user)).rejects.toThrow("The browser did not allow a new tab.");

  const { screen } = await open({ kind: "analytics-failure", user, message: "No analytics" });
  await expect.element(screen.getByRole("dialog", { name: "Analytics of rowan" }).getByRole("alert")).toHaveTextContent("No analytics");
});

test("USR-02 what makes a user different is marked, and what can be done is of that user", async () => {
  const odd = sampleUser(3, {
    activeStatus: "SUSPENDED",
    hasPassword: false,
    internalUser: true,
    demoUser: true,
    roles: ["a", "b"],
    twoFactorEnrolled: true,
  });
  const done: string[] = [];
  const onAction = ({ username }: { username: string }, action: string) => done.push(`${action} ${username}`);
  const screen = await render(
    <MantineProvider theme={theme}>
      <div data-testid="odd">
        <UserMarks user={odd} />
        <UserActions user={odd} canResetTwoFactor onAction={onAction} />
      </div>
      <div data-testid="usual">
        <UserMarks user={user} />
        <UserActions user={user} canResetTwoFactor onAction={onAction} />
      </div>
      <div data-testid="reader">
        <UserActions user={odd} canResetTwoFactor={false} onAction={onAction} />
      </div>
    </MantineProvider>,
  );
  const marks = (id: string) =>
    [...screen.getByTestId(id).element().querySelectorAll(".status-badge")].map((mark) => [mark.className, mark.textContent]);
  expect(marks("odd")).toEqual([
    ["status-badge status-bad", "SUSPENDED"],
    ["status-badge status-warn", "No password"],
    ["status-badge status-info", "Internal"],
    ["status-badge status-plain", "Demo"],
    ["status-badge status-plain", "Special Privileges"],
  ]);
  expect(marks("usual")).toEqual([]);
  await expect.element(screen.getByTitle("a, b")).toBeVisible();
  await expect.element(screen.getByTestId("odd").getByLabelText("Has two-factor authentication")).toBeVisible();
  expect([userClass(odd), userClass(user)]).toEqual([" is-inactive is-internal", ""]);
  const buttons = (id: string) => [...screen.getByTestId(id).element().querySelectorAll("button")];
  for (const button of buttons("odd")) button.click();
  expect(done).toEqual(
    ["history", "edit", "welcome", "password", "keys", "analytics", "reset-two-factor", "delete"].map((action) => `${action} user3`),
  );
  expect(buttons("odd").map((button) => button.classList.contains("bad"))).toEqual([false, false, false, false, false, false, true, true]);
  const labels = (id: string) => buttons(id).map((button) => button.getAttribute("aria-label"));
  expect(labels("usual")).toEqual(labels("odd").flatMap((label) => (label!.startsWith("Reset") ? [] : [label!.replace("user3", "rowan")])));
  expect(labels("reader")).toHaveLength(7);
});

test("a user's old values are entered where they are to be put back, and are sent as edits", async () => {
  const { screen, sent, button } = await open({ kind: "edit", user }, { "PATCH /users/{id}": () => user }, { firstName: "Rowena" });
  await expect.element(screen.getByLabelText(/^First Name/)).toHaveValue("Rowena");
  await button("Save").click();
  await expect.poll(() => sent().map(({ input }) => input["body"])).toEqual([{ firstName: "Rowena", revision: user.revision }]);
});
