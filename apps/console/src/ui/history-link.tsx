import { Anchor } from "@mantine/core";

/** Leads to all changes of an object, such as `node/10604`. */
export function HistoryLink({ object }: { object: string }) {
  return (
    <Anchor href={`#/changes?object=${object}`} size="sm" className="no-print">
      History of changes
    </Anchor>
  );
}
