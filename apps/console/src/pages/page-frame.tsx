import { useEffect, type ReactNode } from "react";
import { announce } from "#lib/announcer.ts";
import { appInfo } from "#lib/app-info.ts";
import { documentTitle } from "#lib/environment.ts";

/** A screen under its title (ENV-05). The heading is the screen's own. */
export function PageFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = documentTitle(appInfo.environment, title);
    announce(title);
  }, [title]);
  return children;
}
