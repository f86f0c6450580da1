import { maxFindText } from "@busbar/contract/system/find.ts";
import { AppShell } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useRef, useState, type ReactNode } from "react";
import { lazyPart } from "#lib/lazy-part.ts";
import { keepFocus, openDialogs } from "#ui/kept-focus.ts";
import { LiveRegion } from "#ui/live-region.tsx";
import { DialogSlot } from "#ui/program-part.tsx";
import type { Environment } from "#lib/environment.ts";
import { useIsNarrow } from "#ui/use-is-narrow.ts";
import { menuFor } from "./menu.ts";
import { SideMenu } from "./side-menu.tsx";
import { TopBar } from "./top-bar.tsx";
import { UpdateBanner } from "./update-banner.tsx";
import { useShortcuts } from "./use-shortcuts.ts";
import { useTypedAhead } from "./use-typed-ahead.ts";
import "./shell.css";

const importPalette = () => import("./command-palette.tsx");
const CommandPalette = lazyPart(() => importPalette(), "CommandPalette");
const ShortcutsDialog = lazyPart(() => import("./shortcuts-dialog.tsx"), "ShortcutsDialog");

export interface ShellProps {
  environment: Environment;
  /** Absent while no one is signed in: then there is no menu (NAV-03). */
  person: { name: string; roles: readonly string[] } | undefined;
  currentPath: string;
  onGo: (path: string) => void;
  onHover: (path: string) => void;
  onOpenSecurity: () => void;
  children: ReactNode;
}

/** The frame of every screen. */
export function Shell({ environment, person, currentPath, onGo, onHover, onOpenSecurity, children }: ShellProps) {
  const isNarrow = useIsNarrow();
  const [isDrawerOpen, drawer] = useDisclosure(false);
  const [isCollapsed, setIsCollapsed] = useState(false);
  const [overlay, setOverlay] = useState<"palette" | "shortcuts" | undefined>();
  const menuButton = useRef<HTMLButtonElement>(null);
  const closeOverlay = () => setOverlay(undefined);
  // It lies over the page where it was opened.
  const [path, setPath] = useState(currentPath);
  if (path !== currentPath) setPath(currentPath);
  if (overlay && (!person || path !== currentPath)) closeOverlay();
  const [typed, setTyped] = useTypedAhead(overlay === "palette", maxFindText);
  useShortcuts({
    onPalette: () => person && setOverlay("palette"),
    // So that what is typed right after Ctrl K is not lost.
    onPaletteLikely: () => void importPalette().catch(() => undefined),
    onHelp: () => person && setOverlay("shortcuts"),
  });
  const groups = person ? menuFor(person.roles) : [];

  return (
    <AppShell
      header={{ height: 44 }}
      padding="sm"
      {...(person
        ? { navbar: { width: isCollapsed && !isNarrow ? 52 : 200, breakpoint: "sm", collapsed: { mobile: !isDrawerOpen } } }
        : {})}
      transitionDuration={0}
    >
      <a href="#main" className="skip-link" onClick={skipToMain}>
        Skip to content
      </a>
      <AppShell.Header className="no-print">
        <TopBar
          environment={environment}
          personName={person?.name}
          menuButton={menuButton}
          isMenuOpen={isNarrow ? isDrawerOpen : !isCollapsed}
          onToggleMenu={() => (isNarrow ? drawer.toggle() : setIsCollapsed((collapsed) => !collapsed))}
          onOpenPalette={() => setOverlay("palette")}
          onOpenShortcuts={() => setOverlay("shortcuts")}
          onOpenSecurity={onOpenSecurity}
        />
      </AppShell.Header>
      {person && (
        <AppShell.Navbar
          component="nav"
          aria-label="Main"
          className="no-print"
          inert={isNarrow && !isDrawerOpen}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || !isNarrow) return;
            drawer.close();
            menuButton.current?.focus();
          }}
        >
          <SideMenu
            groups={groups}
            currentPath={currentPath}
            isCollapsed={isCollapsed && !isNarrow}
            onNavigate={drawer.close}
            onHover={onHover}
          />
        </AppShell.Navbar>
      )}
      <AppShell.Main id="main" tabIndex={-1} ref={keepFocusOnScreen}>
        <UpdateBanner />
        <LiveRegion />
        {children}
      </AppShell.Main>
      <DialogSlot onClose={closeOverlay}>
        {overlay === "palette" && (
          <CommandPalette
            groups={groups}
            typed={typed}
            onTyped={setTyped}
            onClose={closeOverlay}
            onGo={(path) => {
              closeOverlay();
              onGo(path);
            }}
          />
        )}
      </DialogSlot>
      <DialogSlot onClose={closeOverlay}>{overlay === "shortcuts" && <ShortcutsDialog onClose={closeOverlay} />}</DialogSlot>
    </AppShell>
  );
}

const keepFocusOnScreen = (main: HTMLElement | null) => (main ? keepFocus(main, { isOnTop: () => openDialogs.count === 0 }) : undefined);

// The address belongs to the router: moving the focus must not navigate.
function skipToMain(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
