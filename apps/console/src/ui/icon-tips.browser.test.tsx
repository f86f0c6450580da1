import { expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { IconTips } from "./icon-tips.tsx";

const icon = <svg width={18} height={18} aria-hidden />;
const tip = () => document.querySelector(".icon-tip")?.textContent;

test("A-33 the words of an icon at any edge of the page are within it, and not over the icon", async () => {
  const places = [
    { top: 0, left: 0 },
    { top: 0, right: 0 },
    { bottom: 0, left: 0 },
    { bottom: 0, right: 0 },
  ];
  const screen = await render(
    <div>
      {places.map((place, index) => (
        <button key={index} type="button" aria-label={`Corner ${index} with many words`} style={{ position: "fixed", ...place }}>
          {icon}
        </button>
      ))}
      <IconTips />
    </div>,
  );
  for (const index of places.keys()) {
    const button = screen.getByRole("button", { name: `Corner ${index} with many words` });
    await button.hover();
    await expect.poll(tip).toBe(`Corner ${index} with many words`);
    const { left, right, top, bottom } = document.querySelector(".icon-tip")!.getBoundingClientRect();
    const { clientWidth, clientHeight } = document.documentElement;
    expect([left >= 0, right <= clientWidth, top >= 0, bottom <= clientHeight]).toEqual([true, true, true, true]);
    const around = button.element().getBoundingClientRect();
    expect(bottom <= around.top || top >= around.bottom).toBe(true);
  }
});

test("A-33 every icon without words shows them on hover and on focus, once, and not beside words of its own", async () => {
  const screen = await render(
    <div style={{ padding: 40 }}>
      <button type="button" aria-label="Named">
        {icon}
      </button>
      <button type="button" aria-label="Short" title="A longer title">
        {icon}
      </button>
      <a href="#/x" aria-label="A link">
        {icon}
      </a>
      <button type="button">
        {icon}
        <span className="visually-hidden">Hidden words</span>
      </button>
      <button type="button" aria-label="Save it">
        {icon} Save
      </button>
      <IconTips />
    </div>,
  );
  const cases: [role: "button" | "link", name: string, words: string | undefined][] = [
    ["button", "Named", "Named"],
    ["button", "Short", "A longer title"],
    ["link", "A link", "A link"],
    ["button", "Hidden words", "Hidden words"],
    ["button", "Save it", undefined],
  ];
  for (const [role, name, words] of cases) {
    const element = screen.getByRole(role, { name, exact: true });
    await element.hover();
    await expect.poll(() => [name, tip()]).toEqual([name, words]);
    expect(element.element().hasAttribute("title")).toBe(false);
  }
  expect(screen.getByRole("button", { name: "Short" }).element().getAttribute("title")).toBe("A longer title");
  await screen.getByRole("button", { name: "Named" }).click();
  expect(tip()).toBeUndefined();
  for (const [, , words] of cases.slice(1)) {
    await userEvent.keyboard("{Tab}");
    await expect.poll(tip).toBe(words);
  }
  await userEvent.keyboard("{Shift>}{Tab}{/Shift}");
  await expect.poll(tip).toBe("Hidden words");
  await userEvent.keyboard("{Escape}");
  await expect.poll(tip).toBeUndefined();
});
