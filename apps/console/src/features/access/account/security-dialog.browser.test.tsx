import type { Account } from "@busbar/contract/access/account.ts";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { theme } from "#ui/theme.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { AccountNotice } from "./account-notice.tsx";
import { SecurityDialog } from "./security-dialog.tsx";

const at = 1_790_000_000;
const account: Account = {
  username: "rowan",
  firstName: "Rowan",
  lastName: "Ashdown",
  email: "rowan@example.com",
  roles: [],
  twoFactor: null,
  mustEnrolTwoFactor: false,
  mustChangePassword: false,
};
const session = (id: string, isCurrent: boolean) => ({
  id,
  signedInTimestamp: at,
  lastUsedTimestamp: Math.floor(Date.now() / 1000) - 125,
  expiryTimestamp: at + 86_400,
  remoteAddress: isCurrent ? "10.0.0.1" : "10.0.0.2",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  isCurrent,
});
const [own, other] = ["5c9e7a3e-0000-4000-8000-000000000001", "5c9e7a3e-0000-4000-8000-000000000002"];

async function open(answers: Parameters<typeof fakeApi>[0], onOpenSecurity = () => undefined) {
  const api = fakeApi({ "GET /account": () => account, "GET /account/sessions": () => [session(own, true)], ...answers });
  const screen = await render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <ApiContext value={api.call}>
          <AccountNotice onOpenSecurity={onOpenSecurity} />
          <SecurityDialog onClose={() => undefined} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { screen, asked: (endpoint: string) => api.asked.filter((call) => call.endpoint === endpoint).map(({ input }) => input) };
}
afterEach(() => vi.restoreAllMocks());

test("SEC-03 a second factor is set up: password, secret, code, recovery codes; each step says what is missing or wrong", async () => {
  let refusal: ApiError | undefined = new ApiError(403, "WRONG", "This is not your password", "currentPassword");
  let stored = account;
  const { screen, asked } = await open({
    "GET /account": () => stored,
    "POST /account/2fa/enrolment": () => {
      if (refusal) throw refusal;
      return { secret: "JBSWY3DP", otpauthAddress: "otpauth://totp/Busbar:rowan?secret=JBSWY3DP" };
    },
    "POST /account/2fa/confirmation": () => {
      if (refusal) throw refusal;
      stored = { ...account, twoFactor: { enrolledTimestamp: at, recoveryCodesLeft: 2 } };
      return { recoveryCodes: ["aaaa-1111", "bbbb-2222"] };
    },
  });
  await expect.element(screen.getByText("Not set up. Deletions and other dangerous acts ask for a 2FA code.")).toBeVisible();
  expect(screen.getByRole("button", { name: "New recovery codes" }).elements()).toEqual([]);
  await screen.getByRole("button", { name: "Set up two-factor authentication" }).click();
  const form = screen.getByRole("form", { name: "Set up two-factor authentication" });
  const password = form.getByLabelText("Your password");
  const go = form.getByRole("button", { name: "Continue" });
  await go.click();
  await expect.element(form.getByRole("status")).toHaveTextContent("Please enter your password");
  await expect.element(password).toHaveAttribute("aria-invalid", "true");
  expect(form.getByLabelText("2FA code").elements()).toEqual([]);
  await password.fill("secret");
  await go.click();
  await expect.element(form.getByRole("alert")).toHaveTextContent("This is not your password");
  await expect.element(password).toHaveAttribute("aria-invalid", "true");
  await password.fill("secret2");
  await expect.element(password).not.toHaveAttribute("aria-invalid", "true");
  refusal = undefined;
  await go.click();
  await expect.element(form.getByText("JBSWY3DP", { exact: true })).toBeVisible();
  await expect.element(form.getByRole("img", { name: "QR code of the new secret" })).toBeVisible();
  expect(asked("POST /account/2fa/enrolment").map(({ body }) => body)).toEqual([{ password: "secret" }, { password: "secret2" }]);
  const code = form.getByLabelText("2FA code");
  const confirm = form.getByRole("button", { name: "Confirm" });
  await confirm.click();
  await expect.element(form.getByRole("status")).toHaveTextContent("Please enter 2FA code");
  await expect.element(code).toHaveAttribute("aria-invalid", "true");
  refusal = new ApiError(403, "WRONG", "The code is wrong");
  await code.fill("12 34 56");
  await confirm.click();
  await expect.element(form.getByRole("alert")).toHaveTextContent("The code is wrong");
  await expect.element(code).toHaveValue("");
  refusal = undefined;
  await code.fill("654321");
  await confirm.click();
  const kept = screen.getByRole("region", { name: "Recovery codes" });
  await expect.element(kept).toBeVisible();
  expect([...kept.element().querySelectorAll("li")].map(({ textContent }) => textContent)).toEqual(["aaaa-1111", "bbbb-2222"]);
  expect(asked("POST /account/2fa/confirmation").map(({ body }) => body)).toEqual([{ code: "123456" }, { code: "654321" }]);
  let file: Blob | undefined;
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    file = blob as Blob;
    return "blob:none";
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  await kept.getByRole("button", { name: "Save as file" }).click();
  expect([(click.mock.contexts[0] as HTMLAnchorElement).download, await file!.text()]).toEqual([
    "busbar-recovery-codes.txt",
    "aaaa-1111\nbbbb-2222\n",
  ]);
  await kept.getByRole("button", { name: "I have kept them" }).click();
  await expect.element(screen.getByText(`Set up on ${formatDateTime(at)}; 2 recovery codes left.`)).toBeVisible();
});

test("SEC-03 who has a second factor needs a code of it for another one, and for new recovery codes", async () => {
  const enrolled = { ...account, twoFactor: { enrolledTimestamp: at, recoveryCodesLeft: 3 } };
  let refusal: ApiError | undefined = new ApiError(403, "WRONG", "The code is wrong");
  const { screen, asked } = await open({
    "GET /account": () => enrolled,
    "POST /account/2fa/enrolment": () => ({ secret: "JBSWY3DP", otpauthAddress: "otpauth://totp/x" }),
    "POST /account/2fa/recoverycodes": () => {
      if (refusal) throw refusal;
      return { recoveryCodes: ["cccc-3333"] };
    },
  });
  await screen.getByRole("button", { name: "New recovery codes" }).click();
  const renew = screen.getByRole("form", { name: "New recovery codes" });
  const make = renew.getByRole("button", { name: "Make new codes" });
  await make.click();
  await expect.element(renew.getByRole("status")).toHaveTextContent("Please enter 2FA code");
  await renew.getByLabelText("2FA code").fill("111111");
  await make.click();
  await expect.element(renew.getByRole("alert")).toHaveTextContent("The code is wrong");
  await expect.element(renew.getByLabelText("2FA code")).toHaveValue("");
  refusal = undefined;
  await renew.getByLabelText("2FA code").fill("222222");
  await make.click();
  await expect.element(screen.getByText("cccc-3333")).toBeVisible();
  expect(asked("POST /account/2fa/recoverycodes").map(({ body }) => body)).toEqual([{ code: "111111" }, { code: "222222" }]);
  await screen.getByRole("button", { name: "I have kept them" }).click();

  await screen.getByRole("button", { name: "Use another authenticator" }).click();
  const form = screen.getByRole("form", { name: "Set up two-factor authentication" });
  await form.getByLabelText("Your password").fill("secret");
  await form.getByRole("button", { name: "Continue" }).click();
  await expect.element(form.getByRole("status")).toHaveTextContent("Please enter 2FA code");
  await form.getByLabelText("2FA code").fill("333333");
  await form.getByRole("button", { name: "Continue" }).click();
  await expect.element(form.getByText("JBSWY3DP", { exact: true })).toBeVisible();
  expect(asked("POST /account/2fa/enrolment").map(({ body }) => body)).toEqual([{ password: "secret", code: "333333" }]);
  await expect.element(form.getByLabelText("2FA code")).toHaveValue("");
});

test("sessions are listed and ended, one or all others; a password is changed", async () => {
  let sessions = [session(own, true), session(other, false)];
  let count = 1;
  const { screen, asked } = await open({
    "GET /account/sessions": () => sessions,
    "DELETE /account/sessions/{sessionId}": () => ({ ended: true }),
    "DELETE /account/sessions": () => {
      sessions = sessions.slice(0, 1);
      return { endedCount: count };
    },
    "PATCH /account/password": () => ({ changed: true }),
  });
  const region = screen.getByRole("region", { name: "Sessions" });
  await expect.element(region.getByText("This session")).toBeVisible();
  const rows = () =>
    [...region.element().querySelectorAll("tbody tr")].map((row) => [...row.children].map(({ textContent }) => textContent));
  const signedIn = formatDateTime(at);
  expect(rows()).toEqual([
    [signedIn, "2 minutes ago", "10.0.0.1 Firefox 140 on Linux", "This session"],
    [signedIn, "2 minutes ago", "10.0.0.2 Firefox 140 on Linux", "End"],
  ]);
  await region.getByRole("button", { name: `End the session from 10.0.0.2, signed in ${signedIn}` }).click();
  await expect.element(region.getByText(/^Session ended/)).toBeVisible();
  expect(asked("DELETE /account/sessions/{sessionId}")).toEqual([{ params: { sessionId: other } }]);
  await region.getByRole("button", { name: "End all other sessions" }).click();
  await expect.element(region.getByText(/^1 other session ended/)).toBeVisible();
  await expect.poll(rows).toHaveLength(1);
  expect(region.getByRole("button", { name: "End all other sessions" }).elements()).toEqual([]);

  const section = screen.getByRole("region", { name: "Password" });
  await section.getByRole("button", { name: "Change your password" }).click();
  const form = section.getByRole("form", { name: "Change your password" });
  await form.getByLabelText(/^Current Password/).fill("old");
  await form.getByLabelText(/^New Password/).fill("Abcdefgh-1234");
  await form.getByLabelText(/^Confirm Password/).fill("Abcdefgh-1235");
  const save = form.getByRole("button", { name: "Change Password" });
  await expect.element(save).toBeDisabled();
  await form.getByLabelText(/^Confirm Password/).fill("Abcdefgh-1234");
  await save.click();
  await expect.element(section.getByText(/^Password changed\. Your other sessions have ended/)).toBeVisible();
  await expect.element(section.getByRole("button", { name: "Change your password" })).toBeVisible();
  expect(asked("PATCH /account/password")).toEqual([{ body: { currentPassword: "old", newPassword: "Abcdefgh-1234" } }]);
});

test("what must be done first is said on every screen, and nothing else is offered; an account that cannot be loaded is asked for again", async () => {
  let answer: () => Account = () => ({ ...account, mustEnrolTwoFactor: true, mustChangePassword: true });
  const onOpenSecurity = vi.fn();
  const first = await open({ "GET /account": () => answer() }, onOpenSecurity);
  await expect
    .element(first.screen.getByText("Your account needs two-factor authentication. Set it up first: nothing else is possible before."))
    .toBeInTheDocument();
  (first.screen.getByRole("button", { name: "Open Security", includeHidden: true }).element() as HTMLElement).click();
  expect(onOpenSecurity).toHaveBeenCalledOnce();
  await expect.element(first.screen.getByText(/Set it up now; nothing else is possible before\./)).toBeVisible();
  for (const name of ["Sessions", "Password"]) expect(first.screen.getByRole("region", { name }).elements()).toEqual([]);
  expect(first.asked("GET /account/sessions")).toEqual([]);
  await first.screen.unmount();

  answer = () => ({ ...account, mustChangePassword: true });
  const second = await open({ "GET /account": () => answer() });
  await expect
    .element(second.screen.getByText("An administrator set your password. Choose your own first: nothing else is possible before."))
    .toBeInTheDocument();
  await expect.element(second.screen.getByText("An administrator set your password. Choose one that only you know.")).toBeVisible();
  await expect.element(second.screen.getByLabelText(/^Current Password/)).toBeVisible();
  await second.screen.unmount();

  answer = () => {
    throw new ApiError(503, "AWAY", "The database is away.");
  };
  const third = await open({
    "GET /account": () => answer(),
    "GET /account/sessions": () => {
      throw new ApiError(503, "AWAY", "No sessions to be had.");
    },
  });
  await expect.element(third.screen.getByRole("alert").getByText("The database is away.")).toBeVisible();
  answer = () => account;
  await third.screen.getByRole("button", { name: "Try again" }).click();
  await expect
    .element(third.screen.getByRole("region", { name: "Sessions" }).getByRole("alert").getByText("No sessions to be had."))
    .toBeVisible();
  expect(third.screen.getByRole("button", { name: "Open Security", includeHidden: true }).elements()).toEqual([]);
});
