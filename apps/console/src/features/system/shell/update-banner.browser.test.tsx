import { consoleVersion } from "@busbar/contract/system/updates.ts";
import { MantineProvider } from "@mantine/core";
import { expect, onTestFinished, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import { theme } from "#ui/theme.ts";
import { UpdateBanner } from "./update-banner.tsx";
import { checkUpdates } from "./updates-store.ts";

test("ENV-07 ENV-08 a newer version is named with its notes, until no newer one is published; what cannot be read changes nothing", async () => {
  const fetched = vi.spyOn(window, "fetch");
  const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const publish = async (published: unknown, status = 200) => {
    fetched.mockResolvedValueOnce(new Response(JSON.stringify(published), { status }));
    await checkUpdates();
  };
  onTestFinished(async () => {
    await publish({ version: consoleVersion, releaseNotes: [] });
    fetched.mockRestore();
    warned.mockRestore();
  });
  const screen = await render(
    <MantineProvider theme={theme}>
      <UpdateBanner />
    </MantineProvider>,
  );
  const banner = screen.getByRole("region", { name: "Update" });
  const newer = { version: consoleVersion + 1, releaseNotes: ["Faster lists", "Fewer clicks"] };

  await publish({ version: consoleVersion, releaseNotes: ["What everyone has"] });
  await expect.element(banner).not.toBeInTheDocument();
  await publish(newer);
  await expect
    .element(banner)
    .toHaveTextContent(
      `You are on v${consoleVersion} of Admin UI. The latest version is v${consoleVersion + 1}.Faster listsFewer clicksUpdate Now`,
    );
  expect(warned).not.toHaveBeenCalled();
  for (const [unread, status] of [
    [{ version: consoleVersion, releaseNotes: [] }, 500],
    [{ version: String(consoleVersion), releaseNotes: [] }, 200],
  ] as const) {
    await publish(unread, status);
    await expect.element(banner).toBeVisible();
  }
  expect(warned).toHaveBeenCalledTimes(2);
  await publish({ ...newer, releaseNotes: [] });
  await expect.element(banner.getByRole("list")).not.toBeInTheDocument();
  await expect.element(banner).toBeVisible();
  await publish({ ...newer, version: consoleVersion - 1 });
  await expect.element(banner).not.toBeInTheDocument();
  expect(fetched).toHaveBeenLastCalledWith(expect.stringMatching(/^assets\/updates\.json\?\d+$/), { cache: "no-store" });
});
