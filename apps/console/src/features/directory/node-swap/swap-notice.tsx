import { isSwapCopied } from "@busbar/contract/directory/node-swaps.ts";
import { visibleText } from "#lib/visible-text.ts";
import { NodeLink } from "#ui/node-link.tsx";
import { Notice, NoticeButton } from "#ui/notice.tsx";
import { useNodeSwap } from "./node-swap.queries.ts";
import { configLine } from "./swap-words.ts";

export interface SwapNoticeProps {
  serial: string;
  isPlaced: boolean;
  onOpen: () => void;
}

/** On a node's page: what of its swap is still to be done, or which node took its place. */
export function SwapNotice({ serial, isPlaced, onOpen }: SwapNoticeProps) {
  const swap = useNodeSwap(serial).data?.swap;
  if (!swap) return null;
  const { oldSerialNumber, newSerialNumber, locationName, username, reason, isCopying } = swap;
  if (oldSerialNumber === serial && !isPlaced)
    return (
      <Notice kind="validation">
        Swapped for <NodeLink serial={newSerialNumber} /> at {locationName} by {username}: {visibleText(reason)}
      </Notice>
    );
  if (newSerialNumber !== serial || !swap.isCurrent || isSwapCopied(swap)) return null;
  return (
    <Notice kind={isCopying ? "working" : "warning"} action={<NoticeButton onClick={onOpen}>{isCopying ? "Show" : "Go on"}</NoticeButton>}>
      {configLine(swap)}. In the place of <NodeLink serial={oldSerialNumber} />.
    </Notice>
  );
}
