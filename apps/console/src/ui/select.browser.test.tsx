import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import { NativeSelect } from "./native-select.tsx";
import { Autocomplete, Select } from "./select.tsx";
import { theme } from "./theme.ts";

const twice = [
  { value: "18003", label: "18003 · at this location" },
  { value: "18003", label: "18003 · free" },
  { value: "18004", label: "18004 · free" },
];
const show = (children: ReactNode) => render(<MantineProvider theme={theme}>{children}</MantineProvider>);

const fields = {
  Select: () => <Select label="Node" data={twice} defaultValue="18003" defaultDropdownOpened />,
  Autocomplete: () => <Autocomplete label="Node" data={["18003", "18003", "18004"]} defaultDropdownOpened />,
  NativeSelect: () => <NativeSelect label="Node" data={twice} />,
};

test.each(Object.entries(fields))("A-02 a %s whose list has a value twice offers it once", async (_, Field) => {
  const screen = await show(<Field />);
  await expect.element(screen.getByLabelText("Node").first()).toBeVisible();
  await expect.poll(() => document.querySelectorAll("option, [role=option]").length).toBe(2);
});
