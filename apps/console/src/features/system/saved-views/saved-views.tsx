import type { SavedView, ViewList } from "@busbar/contract/system/saved-views.ts";
import { useEffect, useRef, useState } from "react";
import { announce } from "#lib/announcer.ts";
import { failureMessage } from "#lib/api-error.ts";
import { visibleText } from "#lib/visible-text.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { LazyMenu } from "#ui/lazy-menu.tsx";
import { DialogSlot } from "#ui/program-part.tsx";
import { useCreateView, useUpdateView, useViews } from "./saved-views.queries.ts";
import { ViewButton } from "./view-button.tsx";
import type { ViewDialogKind } from "./view-menu.tsx";

const importMenu = () => import("./view-menu.tsx");
const ViewMenu = lazyPart(() => importMenu(), "ViewMenu");
const ViewDialog = lazyPart(() => import("./view-dialog.tsx"), "ViewDialog");
const DeleteViewDialog = lazyPart(() => import("./delete-view-dialog.tsx"), "DeleteViewDialog");

export interface SavedViewsProps {
  list: ViewList;
  /** What the list is filtered and sorted by, and its columns, as its address has it. */
  query: string;
  /** The id of a view in the address, `none` where there shall be none, or empty. */
  chosen: string;
  /** What a view's query asks for and the list no longer knows. */
  lostOf: (query: string) => string[];
  /** Nothing else is in the address either. */
  isBare: boolean;
  /** Shows a view, or without one everything. */
  onOpen: (view: SavedView | undefined) => void;
  /** The list stays as it is under another view's name. */
  onName: (view: SavedView) => void;
}

/** The menu of the views of a list. */
export function SavedViews({ list, query, chosen, lostOf, isBare, onOpen, onName }: SavedViewsProps) {
  const { data: views, error } = useViews(list);
  const create = useCreateView();
  const update = useUpdateView();
  const [dialog, setDialog] = useState<ViewDialogKind | undefined>();
  const [failure, setFailure] = useState("");
  const view = views?.find(({ id }) => String(id) === chosen);
  const lost = view ? lostOf(view.query) : [];
  const isChanged = view !== undefined && view.query !== query;
  const label = view ? `${visibleText(view.name)}${isChanged ? " (changed)" : ""}` : "none";
  const close = () => setDialog(undefined);

  // Of an address that says nothing of the list the default decides; of one that only names a view, that view: on arrival, once.
  const hasArrived = useRef(false);
  useEffect(() => {
    if (!views || hasArrived.current) return;
    hasArrived.current = true;
    const wanted = isBare ? views.find(({ isDefault }) => isDefault) : query === "" && view?.query !== "" ? view : undefined;
    if (wanted) onOpen(wanted);
  }, [views, view, isBare, query, onOpen]);

  const patch = async (values: Parameters<typeof update.mutateAsync>[0], done: string) => {
    setFailure("");
    try {
      await update.mutateAsync(values);
      announce(done);
    } catch (reason) {
      setFailure(failureMessage(reason));
    }
  };

  return (
    <>
      <LazyMenu opens="menu" load={importMenu} Button={ViewButton} buttonProps={{ label }}>
        <ViewMenu
          label={label}
          views={views}
          error={error}
          view={view}
          isChanged={isChanged}
          onOpen={onOpen}
          onSaveChanges={() => view && void patch({ id: view.id, query, revision: view.revision }, `${view.name} is saved`)}
          onDefault={() =>
            view && void patch({ id: view.id, isDefault: !view.isDefault }, view.isDefault ? "There is no default" : "It is the default")
          }
          onDialog={setDialog}
        />
      </LazyMenu>
      {views && !view && /^\d+$/.test(chosen) && <output className="warn">◆ This view is no longer there</output>}
      {lost.length > 0 && <output className="warn">◆ This view asks for what is no longer there: {visibleText(lost.join(", "))}</output>}
      {failure !== "" && (
        <span role="alert" className="warn">
          ◆ {failure}
        </span>
      )}
      <DialogSlot onClose={close}>
        {dialog?.kind === "save" && (
          <ViewDialog onSave={async (values) => onName(await create.mutateAsync({ list, query, ...values }))} onClose={close} />
        )}
        {dialog?.kind === "edit" && (
          <ViewDialog
            view={dialog.view}
            onSave={(values) => update.mutateAsync({ id: dialog.view.id, revision: dialog.view.revision, ...values })}
            onClose={close}
          />
        )}
        {dialog?.kind === "delete" && (
          <DeleteViewDialog
            view={dialog.view}
            onDeleted={() => {
              close();
              onOpen(undefined);
            }}
            onClose={close}
          />
        )}
      </DialogSlot>
    </>
  );
}
