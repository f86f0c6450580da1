import { ActionIcon, useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";

const order = ["auto", "light", "dark"] as const;
const words = { auto: "System theme", light: "Light theme", dark: "Dark theme" };
const icons = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon };

export function ThemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const next = order[(order.indexOf(colorScheme) + 1) % order.length] ?? "auto";
  const Icon = icons[colorScheme];
  const label = `${words[colorScheme]}; switch to ${words[next].toLowerCase()}`;
  return (
    <ActionIcon variant="subtle" aria-label={label} onClick={() => setColorScheme(next)}>
      <Icon size={17} />
    </ActionIcon>
  );
}
