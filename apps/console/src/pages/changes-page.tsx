import type { Change } from "@busbar/contract/system/changes.ts";
import { useState } from "react";
import { changeChoices, changeFilterNames } from "#features/system/feeds/change-filter.ts";
import { ChangesScreen } from "#features/system/feeds/changes.tsx";
import { lazyPart } from "#lib/lazy-part.ts";
import { DialogSlot } from "#ui/program-part.tsx";
import { LinkedDialogFor, useLinkedDialogs } from "./linked-dialogs.tsx";
import { ListViews } from "./list-views.tsx";
import { PageFrame } from "./page-frame.tsx";
import { textsOf, useAddressTexts } from "./use-address-texts.ts";

const PutBackDialog = lazyPart(() => import("./put-back-dialog.tsx"), "PutBackDialog");

const taken = (search: Record<string, string>) => textsOf(search, changeFilterNames, changeChoices);

export function ChangesPage() {
  const [filter, change] = useAddressTexts("/changes", changeFilterNames, changeChoices);
  const [putBack, setPutBack] = useState<Change | undefined>();
  const { open, dialogs } = useLinkedDialogs();
  const close = () => setPutBack(undefined);
  return (
    <PageFrame title="Changes">
      <ChangesScreen
        filter={filter}
        onFilter={change}
        onPutBack={setPutBack}
        views={<ListViews list="changes" path="/changes" search={filter} taken={taken} />}
      />
      <DialogSlot onClose={close}>
        {putBack && (
          <PutBackDialog
            change={putBack}
            onClose={close}
            renderLinked={(dialog) => <LinkedDialogFor dialog={dialog} onClose={close} onOpen={open} />}
            onOpen={open}
          />
        )}
      </DialogSlot>
      {dialogs}
    </PageFrame>
  );
}
