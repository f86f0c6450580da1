import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { expect, onTestFinished, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { ApiContext } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { fakeApi } from "../../../testing/fake-api.ts";
import { FileActions } from "./file-actions.tsx";

const name = "10001_20260106T143000Z_D0900.txt";

test("a file is saved whole under its name; what fails is said until it is tried again, and it may be tried again", async () => {
  const saved: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function note(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  onTestFinished(() => click.mockRestore());
  const api = fakeApi({});
  const screen = await render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <ApiContext value={api.call}>
          <FileActions fileName={name} />
        </ApiContext>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const button = screen.getByRole("button", { name: "Download file" });
  await button.click();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("Unable to connect to server. Please try again later.");
  const [asked] = api.asked;
  expect(asked!.input["params"]).toEqual({ fileName: name });
  const answer = Promise.withResolvers<Blob>();
  api.answers[asked!.endpoint] = () => answer.promise;
  await button.click();
  await expect.element(button).toBeDisabled();
  await expect.element(screen.getByRole("alert")).not.toBeInTheDocument();
  answer.resolve(new Blob(["bytes"]));
  await expect.poll(() => saved).toEqual([name]);
  await expect.element(button).toBeEnabled();
  const again = screen.getByRole("button", { name: "Extract again" });
  await again.click();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("Unable to connect to server. Please try again later.");
  const { endpoint } = api.asked.at(-1)!;
  api.answers[endpoint] = () => {
    throw new ApiError(409, "CONFLICT", "It is being extracted.");
  };
  await again.click();
  await expect.element(screen.getByRole("alert")).toHaveTextContent("It is being extracted.");
  api.answers[endpoint] = () => ({});
  await again.click();
  await expect.element(screen.getByRole("alert")).not.toBeInTheDocument();
});
