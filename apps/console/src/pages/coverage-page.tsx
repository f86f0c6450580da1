import { coverageFilterNames, kindOf } from "#features/telemetry/coverage/coverage-days.ts";
import { CoverageScreen, useDaySpan } from "#features/telemetry/coverage/coverage-screen.tsx";
import { GapDialog } from "#features/telemetry/coverage/gap-dialog.tsx";
import { DialogSlot } from "#ui/program-part.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAddressTexts } from "./use-address-texts.ts";

export function CoveragePage() {
  const [filter, change, goTo] = useAddressTexts("/coverage", coverageFilterNames);
  const span = useDaySpan(filter);
  const { node, day } = filter;
  const close = () => change({ ...filter, node: "", day: "" });
  return (
    <PageFrame title="Data coverage">
      <CoverageScreen filter={filter} onFilter={change} onOpen={(gaps) => goTo({ ...filter, ...gaps })} />
      <DialogSlot onClose={close}>
        {/^[1-9]\d{4}$/.test(node) && (
          <GapDialog
            key={`${node} ${kindOf(filter)}`}
            serial={node}
            kind={kindOf(filter)}
            span={span}
            day={day}
            onDay={(next) => change({ ...filter, day: next })}
            onClose={close}
          />
        )}
      </DialogSlot>
    </PageFrame>
  );
}
