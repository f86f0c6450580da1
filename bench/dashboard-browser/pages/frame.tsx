import { MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { contrastOverrides, theme } from "@busbar/console/ui/theme.ts";
import "@mantine/core/styles.css";
import "@busbar/console/ui/base.css";
import "@busbar/console/ui/status-badge.css";
import "@busbar/console/features/telemetry/node-dashboard/node-dashboard.css";

/** Puts a page's content where the console would: same theme, same styles. */
export function render(content: ReactNode): void {
  const container = document.getElementById("root");
  if (!container) throw new Error("The page has no root element");
  createRoot(container).render(
    <MantineProvider theme={theme} cssVariablesResolver={contrastOverrides}>
      {content}
    </MantineProvider>,
  );
}
