import type { Change } from "@busbar/contract/system/changes.ts";
import { lazy, useState } from "react";
import { changeFilterNames } from "#features/system/feeds/change-filter.ts";
import { ChangesScreen } from "#features/system/feeds/changes.tsx";
import { DialogSlot } from "#ui/program-part.tsx";
import { LinkedDialogFor, useLinkedDialogs } from "./linked-dialogs.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAddressTexts } from "./use-address-texts.ts";

const PutBackDialog = lazy(() => import("./put-back-dialog.tsx").then((module) => ({ default: module.PutBackDialog })));

export function ChangesPage() {
  const [filter, change] = useAddressTexts("/changes", changeFilterNames);
  const [putBack, setPutBack] = useState<Change | undefined>();
  const { open, dialogs } = useLinkedDialogs();
  const close = () => setPutBack(undefined);
  return (
    <PageFrame title="Changes">
      <ChangesScreen filter={filter} onFilter={change} onPutBack={setPutBack} />
      <DialogSlot onClose={close}>
        {putBack && (
          <PutBackDialog
            change={putBack}
            onClose={close}
            renderLinked={(dialog) => <LinkedDialogFor dialog={dialog} onClose={close} onOpen={open} />}
          />
        )}
      </DialogSlot>
      {dialogs}
    </PageFrame>
  );
}
