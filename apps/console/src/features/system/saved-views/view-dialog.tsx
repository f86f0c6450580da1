import { ViewForm, type SavedView } from "@busbar/contract/system/saved-views.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { Stack } from "@mantine/core";
import { CheckboxField } from "#ui/checkbox-field.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
import { TextField } from "#ui/text-field.tsx";

export interface ViewDialogProps {
  /** Whose name and sharing are changed; without, a new one is saved. */
  view?: SavedView | undefined;
  onSave: (values: ViewForm) => Promise<unknown>;
  onClose: () => void;
}

/** A view's name, and who sees it. */
export function ViewDialog({ view, onSave, onClose }: ViewDialogProps) {
  const form = useSaveForm<ViewForm>({
    resolver: zodResolver(ViewForm),
    defaultValues: { name: view?.name ?? "", isShared: view?.isShared ?? false },
    isQuietAtFirst: true,
  });
  const save = form.saving(async (values) => {
    await onSave(values);
    onClose();
    return undefined;
  });
  return (
    <Dialog title={view ? "Rename or share the view" : "Save as a view"} onClose={onClose}>
      <SaveForm form={form} onSubmit={save} saveLabel="Save" label="View">
        <Stack gap="sm">
          <p>A view remembers the filters, the order and the columns of this list.</p>
          <TextField control={form.control} name="name" label="Name" isRequired data-autofocus />
          <CheckboxField control={form.control} name="isShared" label="Everyone may open it" />
        </Stack>
      </SaveForm>
    </Dialog>
  );
}
