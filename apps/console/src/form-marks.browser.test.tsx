import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ApiError } from "#lib/api-error.ts";
import { currentSession } from "#features/access/session/current-session.ts";
import { sampleUser } from "#features/access/users/users.fixture.ts";
import { App, followSession } from "./app.tsx";
import { router } from "./router.tsx";
import { fakeApi, fakeToken } from "./testing/fake-api.ts";

let stopFollowing: () => void;
beforeEach(async () => {
  await page.viewport(1280, 800);
  stopFollowing = followSession();
  currentSession.set(fakeToken(), ["systemAdministrator"]);
});
afterEach(async () => {
  currentSession.clear();
  location.hash = "#/";
  await vi.waitUntil(() => router.state.resolvedLocation?.pathname === "/");
  stopFollowing();
});

async function open(path: string, more: Parameters<typeof fakeApi>[0] = {}) {
  const fake = fakeApi({
    "GET /users": () => [sampleUser(1)],
    "GET /customers/names": () => [{ id: 1, code: "alder", name: "Alder Pumping" }],
    "GET /users/{id}/apikeys": () => [],
    "GET /users/{id}/keys": () => [],
    ...more,
  });
  const screen = await render(<App call={fake.call} styleNonce="" />);
  await expect.element(screen.getByRole("heading", { name: "Welcome" })).toBeVisible();
  location.hash = `#${path}`;
  return { ...fake, screen };
}
const red = () =>
  [...document.querySelectorAll("[aria-invalid='true']")].map((field) => document.querySelector(`label[for='${field.id}']`));
const redLabels = () => red().map((label) => label?.textContent?.replace(/\W+$/, ""));

test.each(["errors", "warnings", "debug"])("A-20 Diagnose, %s: the field that keeps Post disabled is red", async (kind) => {
  const { screen } = await open(`/system/${kind}`);
  await expect.element(screen.getByRole("button", { name: "Post" })).toBeDisabled();
  await expect.element(screen.getByText("Please correct the fields marked in red to enable Post button.")).toBeVisible();
  await expect.poll(redLabels).toEqual(["Message"]);
  await screen.getByRole("textbox", { name: "Message" }).fill("Belt replaced");
  await expect.element(screen.getByRole("button", { name: "Post" })).toBeEnabled();
  expect(redLabels()).toEqual([]);
});

test("A-20 a password that the server refuses marks its field; after a saved one nothing is red", async () => {
  const { screen, answers } = await open("/users", {
    "PATCH /users/{id}/admin/password": () => {
      throw new ApiError(400, "INVALID", "newPassword: is too easy to guess", "newPassword");
    },
  });
  await screen.getByRole("button", { name: "Change password: user1" }).click();
  const dialog = screen.getByRole("dialog");
  const save = dialog.getByRole("button", { name: "Change Password" });
  const enter = async (password: string) => {
    await dialog.getByLabelText(/^New Password/).fill(password);
    await dialog.getByLabelText(/^Confirm Password/).fill(password);
    await save.click();
  };
  await enter("Password1");
  await expect.poll(redLabels).toEqual(["New Password"]);
  await expect.element(dialog.getByText("is too easy to guess", { exact: true })).toBeVisible();
  answers["PATCH /users/{id}/admin/password"] = () => ({ changed: true });
  await enter("Granite-Willow8");
  await expect.element(dialog.getByText(/^Password changed successfully/)).toBeVisible();
  expect(redLabels()).toEqual([]);
  await expect.element(save).toBeDisabled();
  await expect.element(dialog.getByText(/^Please correct the fields/)).not.toBeInTheDocument();
});

test("A-20 an empty confirmation of a password is red in each form that asks for one", async () => {
  const { screen } = await open("/users");
  await screen.getByRole("button", { name: "Change password: user1" }).click();
  await expect.poll(redLabels).toEqual(["New Password", "Confirm Password"]);
  await screen.getByLabelText(/^New Password/).fill("Granite-Willow8");
  await expect.poll(redLabels).toEqual(["Confirm Password"]);
  await screen.getByLabelText(/^Confirm Password/).fill("Granite-Willow8");
  await expect.poll(redLabels).toEqual([]);
  await screen.getByLabelText(/^New Password/).fill("");
  await screen.getByLabelText(/^Confirm Password/).fill("");
  await screen.getByRole("dialog").getByRole("button", { name: "Close" }).first().click();
  await screen.getByRole("button", { name: "Add user" }).click();
  await expect.poll(redLabels).toContain("Confirm Password");
});

test("A-20 both buttons that make a key are disabled beside a name that is none, which is red", async () => {
  const { screen, asked } = await open("/users");
  await screen.getByRole("button", { name: "Manage API keys: user1" }).click();
  const dialog = screen.getByRole("dialog");
  const buttons = ["Create API Key", "Create Access Key"].map((name) => dialog.getByRole("button", { name }));
  for (const name of ["", "a,b", "x".repeat(65)]) {
    await dialog.getByRole("textbox", { name: "Name" }).fill(name);
    for (const button of buttons) await expect.element(button).toBeDisabled();
    await expect.poll(redLabels).toEqual(["Name"]);
  }
  await dialog.getByRole("textbox", { name: "Name" }).fill("reader");
  for (const button of buttons) await expect.element(button).toBeEnabled();
  expect(redLabels()).toEqual([]);
  expect(asked.filter(({ endpoint }) => endpoint.startsWith("POST"))).toEqual([]);
});

test("A-20 a 2FA code that is missing or refused is red until another is typed", async () => {
  const { screen } = await open("/users", {
    "DELETE /users/{id}/2fa/{code}": () => {
      throw new ApiError(403, "PASSCODE_REFUSED", "The 2FA code is not right");
    },
  });
  await screen.getByRole("button", { name: "Delete: user1" }).click();
  const dialog = screen.getByRole("dialog");
  const remove = dialog.getByRole("button", { name: "Delete" });
  expect(redLabels()).toEqual([]);
  await remove.click();
  await expect.poll(redLabels).toEqual(["2FA code"]);
  await dialog.getByLabelText("2FA code").fill("000000");
  await expect.poll(redLabels).toEqual([]);
  await remove.click();
  await expect.element(dialog.getByRole("alert")).toHaveTextContent("The 2FA code is not right");
  await expect.poll(redLabels).toEqual(["2FA code"]);
});

test("A-20 the current password that the server refuses is red in each form that asks for it", async () => {
  const refuse = () => {
    throw new ApiError(403, "FORBIDDEN", "Your current password is not right", "currentPassword");
  };
  const account = {
    username: "robin",
    firstName: "Robin",
    lastName: "Testerly",
    email: "robin@works.example",
    roles: [],
    twoFactor: null,
    mustEnrolTwoFactor: false,
    mustChangePassword: false,
  };
  const { screen } = await open("/home", {
    "GET /account": () => account,
    "GET /account/sessions": () => [],
    "PATCH /account/password": refuse,
    "POST /account/2fa/enrolment": refuse,
  });
  await screen.getByRole("button", { name: /Robin Testerly/ }).click();
  await screen.getByRole("menuitem", { name: /security/i }).click();
  const dialog = screen.getByRole("dialog");
  await dialog.getByRole("button", { name: "Change your password" }).click();
  await dialog.getByLabelText(/^Current Password/).fill("Wrong-Quarry7");
  await dialog.getByLabelText(/^New Password/).fill("Granite-Willow88");
  await dialog.getByLabelText(/^Confirm Password/).fill("Granite-Willow88");
  await dialog.getByRole("button", { name: "Change Password" }).click();
  await expect.poll(redLabels).toEqual(["Current Password"]);
  await dialog.getByLabelText(/^Current Password/).fill("Wrong-Quarry8");
  await expect.poll(redLabels).toEqual([]);

  await dialog.getByRole("button", { name: "Set up two-factor authentication" }).click();
  await dialog.getByLabelText(/^Your password/).fill("Wrong-Quarry7");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect.poll(redLabels).toEqual(["Your password"]);
  await dialog.getByLabelText(/^Your password/).fill("Wrong-Quarry8");
  await expect.poll(redLabels).toEqual([]);
});
