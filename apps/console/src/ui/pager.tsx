import { Button, Group } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { formatCount } from "#lib/format-number.ts";
import { nextFrom, previousFrom, type Page } from "#lib/paging.ts";

/** FEE-03 */
export function Pager({ page, onFrom }: { page: Page; onFrom: (from: number) => void }) {
  const { from, count, total } = page;
  const last = Math.min(from + count - 1, total);
  return (
    <Group gap="xs" className="no-print">
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconChevronLeft size={14} aria-hidden />}
        aria-disabled={previousFrom(page) === from}
        onClick={() => onFrom(previousFrom(page))}
      >
        Previous
      </Button>
      <span className="tabular">
        {total === 0 ? "0 of 0" : `${formatCount(Math.min(from, total))}–${formatCount(last)} of ${formatCount(total)}`}
      </span>
      <Button
        variant="default"
        size="compact-sm"
        rightSection={<IconChevronRight size={14} aria-hidden />}
        aria-disabled={nextFrom(page) === from}
        onClick={() => onFrom(nextFrom(page))}
      >
        Next
      </Button>
    </Group>
  );
}
