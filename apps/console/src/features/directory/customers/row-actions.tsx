import { ActionIcon, Menu } from "@mantine/core";
import { IconDotsVertical } from "@tabler/icons-react";
import type { TreeAction, TreeRequest } from "./tree-actions.ts";

export interface RowActionsProps {
  /** Of the row, for the menu's name. */
  label: string;
  actions: readonly TreeAction[];
  /** Only the active row's buttons are in the tab order. */
  isActive: boolean;
  isNarrow: boolean;
  onRequest: (request: TreeRequest) => void;
}

/** A row's actions: icons side by side, or a menu where there is no room for them. */
export function RowActions({ label, actions, isActive, isNarrow, onRequest }: RowActionsProps) {
  const tabIndex = isActive ? 0 : -1;
  if (isNarrow) {
    return (
      <Menu position="bottom-end" withinPortal transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={36} tabIndex={tabIndex} aria-label={`Actions of ${label}`}>
            <IconDotsVertical size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((action) => {
            const shown = { leftSection: <action.icon size={16} aria-hidden />, ...(action.isDangerous ? { color: "red" } : {}) };
            return "href" in action ? (
              <Menu.Item key={action.label} component="a" href={action.href} {...shown}>
                {action.label}
              </Menu.Item>
            ) : (
              <Menu.Item key={action.label} onClick={() => onRequest(action.request)} {...shown}>
                {action.label}
              </Menu.Item>
            );
          })}
        </Menu.Dropdown>
      </Menu>
    );
  }
  return (
    <span className="tree-actions no-print">
      {actions.map((action) => {
        const shown = {
          className: `tree-action${action.isDangerous ? " is-dangerous" : ""}`,
          tabIndex,
          title: action.label,
          "aria-label": action.label,
        };
        return "href" in action ? (
          <a key={action.label} href={action.href} {...shown}>
            <action.icon size={16} aria-hidden />
          </a>
        ) : (
          <button key={action.label} type="button" onClick={() => onRequest(action.request)} {...shown}>
            <action.icon size={16} aria-hidden />
          </button>
        );
      })}
    </span>
  );
}
