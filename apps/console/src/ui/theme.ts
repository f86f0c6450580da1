import { createTheme, type CSSVariablesResolver } from "@mantine/core";
import type { SyntheticEvent } from "react";

const monospace = 'ui-monospace, "SFMono-Regular", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace';

function selectWhole({ currentTarget }: SyntheticEvent<HTMLInputElement>): void {
  if (!currentTarget.readOnly) currentTarget.select();
}

export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: { light: 8, dark: 7 },
  defaultRadius: "sm",
  autoContrast: true,
  luminanceThreshold: 0.3,
  fontFamily: '-apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif',
  fontFamilyMonospace: monospace,
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "18px" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Badge: { defaultProps: { tt: "none", fz: 11, fw: 500 } },
    Button: { defaultProps: { size: "xs" } },
    Checkbox: { defaultProps: { size: "xs" } },
    TextInput: { defaultProps: { size: "sm" } },
    PasswordInput: { defaultProps: { size: "sm" } },
    // Typing into a list that can be searched replaces the choice that is there, rather than adding to its words.
    Select: { defaultProps: { size: "sm", onFocus: selectWhole, onClick: selectWhole } },
  },
});

// The library's defaults miss AA contrast in these places.
export const contrastOverrides: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": colors.gray[7],
    "--mantine-color-error": colors.red[9],
    "--mantine-color-anchor": colors.indigo[8],
    "--mantine-color-placeholder": colors.gray[7],
    "--mantine-color-green-light-color": "#1b5e20",
    "--mantine-color-blue-light-color": "#0b4a8f",
    "--mantine-color-red-light-color": "#8f1d1d",
    "--mantine-color-yellow-light-color": "#6b4a00",
    "--mantine-color-orange-light-color": "#7a3a00",
    "--mantine-color-indigo-light-color": colors.indigo[9],
    "--mantine-color-indigo-outline": colors.indigo[8],
    "--mantine-color-gray-light-color": colors.gray[8],
    "--busbar-good": "#1b7f2a",
    "--busbar-bad": "#c01c1c",
    "--busbar-warn-bg": "#ffecb3",
    "--busbar-warn": "#5f4100",
    "--busbar-row-alt": "#f7f8fa",
    "--busbar-row-hover": "#eef1fb",
    "--busbar-faded": "#5b6370",
    "--busbar-line": "#dee2e6",
  },
  dark: {
    "--mantine-color-dimmed": colors.dark[0],
    "--mantine-color-error": colors.red[4],
    "--mantine-color-anchor": colors.indigo[2],
    "--mantine-color-placeholder": colors.dark[1],
    "--mantine-color-green-light-color": colors.green[1],
    "--mantine-color-blue-light-color": colors.blue[1],
    "--mantine-color-red-light-color": colors.red[1],
    "--mantine-color-yellow-light-color": colors.yellow[2],
    "--mantine-color-orange-light-color": colors.orange[2],
    "--mantine-color-indigo-light-color": colors.indigo[1],
    "--mantine-color-indigo-outline": colors.indigo[2],
    "--mantine-color-gray-light-color": colors.gray[3],
    "--busbar-good": "#5fd068",
    "--busbar-bad": "#ff8a80",
    "--busbar-warn-bg": "#5c3d00",
    "--busbar-warn": "#ffe0a3",
    "--busbar-row-alt": "#2a2a2b",
    "--busbar-row-hover": "#31364a",
    "--busbar-faded": "#b3b8c0",
    "--busbar-line": "#424242",
  },
});
