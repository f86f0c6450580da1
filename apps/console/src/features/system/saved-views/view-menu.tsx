import type { SavedView } from "@busbar/contract/system/saved-views.ts";
import { Menu } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useRef } from "react";
import { failureMessage } from "#lib/api-error.ts";
import { visibleText } from "#lib/visible-text.ts";
import { ViewButton } from "./view-button.tsx";

export type ViewDialogKind = { kind: "save" } | { kind: "edit" | "delete"; view: SavedView };

export interface ViewMenuProps {
  label: string;
  views: readonly SavedView[] | undefined;
  error: Error | null;
  /** The one that is open. */
  view: SavedView | undefined;
  /** The list is not as that view has it any more. */
  isChanged: boolean;
  /** Shows a view, or without one everything. */
  onOpen: (view: SavedView | undefined) => void;
  onSaveChanges: () => void;
  /** Makes the open view the default, or no longer. */
  onDefault: () => void;
  onDialog: (dialog: ViewDialogKind) => void;
}

/** The views of a list, and what can be done with the one that is open. Open at first: see LazyMenu. */
export function ViewMenu({ label, views, error, view, isChanged, onOpen, onSaveChanges, onDefault, onDialog }: ViewMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Menu
      position="bottom-start"
      width="max-content"
      defaultOpened
      onClose={() => button.current?.focus()}
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <ViewButton label={label} ref={button} />
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: "auto" }}>
        {error && <Menu.Label>{failureMessage(error)}</Menu.Label>}
        {views?.map((each) => (
          <Menu.Item
            key={each.id}
            leftSection={each === view ? <IconCheck size={14} aria-label="Open now:" /> : <span className="view-mark" />}
            onClick={() => onOpen(each)}
          >
            <div className="view-name">
              {visibleText(each.name)} <span className="dim">{marksOf(each)}</span>
            </div>
          </Menu.Item>
        ))}
        {views?.length === 0 && <Menu.Label>No view is saved yet</Menu.Label>}
        {view && <Menu.Item onClick={() => onOpen(undefined)}>Show the list without a view</Menu.Item>}
        <Menu.Divider />
        {view?.isOwn && isChanged && <Menu.Item onClick={onSaveChanges}>Save the changes</Menu.Item>}
        <Menu.Item onClick={() => onDialog({ kind: "save" })}>Save as …</Menu.Item>
        {view && <Menu.Item onClick={onDefault}>{view.isDefault ? "No longer my default" : "Make my default"}</Menu.Item>}
        {view?.isOwn && <Menu.Item onClick={() => onDialog({ kind: "edit", view })}>Rename or share …</Menu.Item>}
        {view?.mayDelete && (
          <Menu.Item color="red" onClick={() => onDialog({ kind: "delete", view })}>
            Delete …
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function marksOf({ owner, isOwn, isShared, isDefault }: SavedView): string {
  const whose = isOwn ? (isShared ? "shared" : "") : owner === "" ? "of someone who left" : `of ${owner}`;
  return [whose, isDefault ? "default" : ""].filter(Boolean).join(", ");
}
