import { consoleVersion } from "@busbar/contract/system/updates.ts";
import { ActionIcon, Button, Kbd } from "@mantine/core";
import { IconMenu2, IconSearch } from "@tabler/icons-react";
import type { Environment } from "#lib/environment.ts";
import type { RefObject } from "react";
import { BusbarLogo } from "#ui/busbar-logo.tsx";
import { PersonControl } from "./person-control.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

export interface TopBarProps {
  environment: Environment;
  personName: string | undefined;
  menuButton: RefObject<HTMLButtonElement | null>;
  isMenuOpen: boolean;
  onToggleMenu: () => void;
  onOpenPalette: () => void;
  onOpenShortcuts: () => void;
  onOpenSecurity: () => void;
}

/** ENV-04 */
export function TopBar(props: TopBarProps) {
  const { environment, personName, menuButton, isMenuOpen, onToggleMenu, onOpenPalette, onOpenShortcuts, onOpenSecurity } = props;
  const isSignedIn = personName !== undefined;
  return (
    <div className="top-bar">
      <div className="top-bar-side">
        {isSignedIn && (
          <ActionIcon ref={menuButton} variant="subtle" aria-label="Toggle menu" aria-expanded={isMenuOpen} onClick={onToggleMenu}>
            <IconMenu2 size={18} />
          </ActionIcon>
        )}
        <BusbarLogo />
        <span className="product-name">Busbar</span>
        <span className="dim tabular">v{consoleVersion}</span>
        <span className={`environment environment-${environment.toLowerCase()}`}>{environment}</span>
      </div>
      <div className="top-bar-side">
        {isSignedIn && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconSearch size={14} />}
            rightSection={<Kbd size="xs">Ctrl K</Kbd>}
            onClick={onOpenPalette}
            visibleFrom="sm"
          >
            Go to
          </Button>
        )}
        {isSignedIn && (
          <ActionIcon variant="subtle" aria-label="Go to" onClick={onOpenPalette} hiddenFrom="sm">
            <IconSearch size={17} />
          </ActionIcon>
        )}
        <ThemeSwitch />
        {isSignedIn && <PersonControl name={personName} onOpenSecurity={onOpenSecurity} onOpenShortcuts={onOpenShortcuts} />}
      </div>
    </div>
  );
}
