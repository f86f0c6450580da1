import { RuntimeConfig } from "@busbar/contract/system/runtime-config.ts";
import { MantineProvider } from "@mantine/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import type { CallOptions } from "#api/client.ts";
import { ApiError } from "#lib/api-error.ts";
import { LoginForm } from "./login-form.tsx";
import { chosenOrigin } from "./login-servers.ts";

const forget = () => {
  for (const name of ["admin-username", "admin-remoteserver"]) document.cookie = `${name}=; expires=Thu, 01 Jan 1970 00:00:00 GMT; path=/`;
};
beforeEach(forget);
afterEach(forget);

const config = RuntimeConfig.parse({
  showServerFlags: true,
  loginServers: [
    { name: "Here", origin: "" },
    { name: "Staging", origin: "https://staging.example" },
  ],
});

const unreachable = new ApiError(0, "NETWORK", "Unable to connect to server. Please try again later.");

async function open(isLocalhost: boolean, failure = unreachable) {
  const sent: CallOptions[] = [];
  const call = async (_endpoint: unknown, _input: unknown, options: CallOptions) => {
    sent.push(options);
    throw failure;
  };
  const screen = await render(
    <MantineProvider>
      <ApiContext value={call as never}>
        <LoginForm config={config} isLocalhost={isLocalhost} />
      </ApiContext>
    </MantineProvider>,
  );
  const submit = async () => {
    await screen.getByRole("textbox", { name: "Username" }).fill("robin");
    await screen.getByLabelText("Password", { exact: false }).first().fill("secret");
    await screen.getByRole("button", { name: "Sign in" }).click();
    await expect.element(screen.getByRole("alert")).toBeVisible();
  };
  return { screen, sent, submit };
}

test("LOG-03 with the flag on both boxes are there; Use V2 Server sends the login to the v2 base", async () => {
  const { screen, sent, submit } = await open(false);
  expect(screen.getByRole("combobox").elements()).toHaveLength(0);
  await screen.getByRole("checkbox", { name: "Use V2 Server" }).click();
  await submit();
  expect(sent).toEqual([{ credential: "busbar-console", version: "v2" }]);
});

test("LOG-03 LOG-04 Use Remote Java Server lets a server be chosen; LOG-09 the choice is remembered for calls", async () => {
  const { screen, submit } = await open(false);
  await screen.getByRole("checkbox", { name: "Use Remote Java Server" }).click();
  await screen.getByRole("combobox", { name: "Login server" }).click();
  await screen.getByRole("option", { name: "Staging" }).click();
  await submit();
  expect(document.cookie).toContain("admin-remoteserver=Staging");
  expect(chosenOrigin(config, false)).toBe("https://staging.example");
  expect(chosenOrigin({ ...config, showServerFlags: false }, false)).toBeUndefined();
  await screen.unmount();
  const again = await open(true);
  await expect.element(again.screen.getByRole("combobox", { name: "Login server" })).toHaveValue("Staging");
  // Where no server can be chosen, it is the console's own again.
  await again.screen.unmount();
  await (await open(false)).submit();
  expect(document.cookie).toContain("admin-remoteserver=Here");
});

test("LOG-04 on localhost the console's own server comes first and is used by default", async () => {
  const { screen, submit } = await open(true);
  await expect.element(screen.getByRole("combobox", { name: "Login server" })).toHaveValue("Here");
  await submit();
  expect(chosenOrigin(config, true)).toBeUndefined();
});

test("LOG-02 the 2FA code that one person was asked for does not get in the way of another", async () => {
  const { screen, sent } = await open(false, new ApiError(401, "PASSCODE_REQUIRED", "Please enter your 2FA code"));
  const name = screen.getByRole("textbox", { name: "Username" });
  const signIn = screen.getByRole("button", { name: "Sign in" });
  await name.fill("robin");
  await screen.getByLabelText("Password", { exact: false }).first().fill("secret");
  await signIn.click();
  await expect.element(screen.getByLabelText("2FA code")).toHaveFocus();
  await signIn.click();
  await expect.element(screen.getByText("Please enter 2FA code")).toBeVisible();
  await name.fill("casey");
  await expect.element(screen.getByLabelText("2FA code")).not.toBeInTheDocument();
  await signIn.click();
  await expect.poll(() => sent.length).toBe(2);
});

test("A-28 what the last try said is not shown beside what this one lacks", async () => {
  const { screen, submit } = await open(false, new ApiError(401, "LOGIN_FAILED", "Username or password is incorrect"));
  await submit();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("Username or password is incorrect.");
  await screen.getByLabelText("Password", { exact: false }).first().fill("");
  await screen.getByRole("button", { name: "Sign in" }).click();
  await expect.element(screen.getByText("Password is required")).toBeVisible();
  expect(screen.getByText("Username or password is incorrect").elements()).toHaveLength(0);
});
