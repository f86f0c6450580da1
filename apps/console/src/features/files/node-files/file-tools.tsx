import { Button, Group } from "@mantine/core";
import { IconCalendar, IconChevronDown, IconChevronRight, IconPlayerSkipBack, IconPlayerSkipForward } from "@tabler/icons-react";
import { useId, useState, type ReactNode } from "react";
import { wallClock } from "@busbar/contract/values/local-time.ts";
import { daysInMonth, oneOClock, yearChoices } from "#lib/year-choices.ts";
import { serverClock } from "#lib/server-clock.ts";
import { NativeSelect } from "#ui/native-select.tsx";
import { kindChoices } from "./file-kinds.ts";
import type { FileStart } from "./use-file-window.ts";

export interface FileToolsProps {
  timezone: string;
  kinds: string;
  onKinds: (kinds: string) => void;
  onGoTo: (start: FileStart) => void;
  /** What else one can do with the files. */
  children: ReactNode;
}

const months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"];

/** FIL-02 */
export function FileTools({ timezone, kinds, onKinds, onGoTo, children }: FileToolsProps) {
  const [isExpanded, setIsExpanded] = useState(false);
  const bodyId = useId();
  const Chevron = isExpanded ? IconChevronDown : IconChevronRight;
  return (
    <section className="file-tools no-print" aria-label="Tools">
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<Chevron size={14} aria-hidden />}
          aria-expanded={isExpanded}
          aria-controls={bodyId}
          onClick={() => setIsExpanded(!isExpanded)}
        >
          Tools
        </Button>
        <NativeSelect
          size="xs"
          aria-label="Kind of files"
          data={kindChoices.map((choice) => ({ ...choice }))}
          value={kinds}
          onChange={({ currentTarget }) => onKinds(currentTarget.value)}
        />
      </Group>
      <div id={bodyId} hidden={!isExpanded} className="file-tools-body">
        {isExpanded && (
          <>
            <GoTo timezone={timezone} onGoTo={onGoTo} />
            {children}
          </>
        )}
      </div>
    </section>
  );
}

function GoTo({ timezone, onGoTo }: { timezone: string; onGoTo: (start: FileStart) => void }) {
  const [now] = useState(() => Math.floor(serverClock.nowSeconds()));
  const [today] = useState(() => new Date(wallClock(now, timezone) * 1000));
  const [year, setYear] = useState(today.getUTCFullYear());
  const [month, setMonth] = useState(today.getUTCMonth() + 1);
  const [chosenDay, setDay] = useState(today.getUTCDate());
  const day = Math.min(chosenDay, daysInMonth(year, month));
  const choice = (label: string, value: number, choices: { value: string; label: string }[], onChange: (value: number) => void) => (
    <NativeSelect
      size="xs"
      label={label}
      data={choices}
      value={String(value)}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    />
  );
  const numbers = (list: readonly number[]) => list.map((value) => ({ value: String(value), label: String(value) }));
  return (
    <fieldset className="file-tools-group">
      <legend>Go to</legend>
      <Group gap="xs" align="end">
        <Button variant="default" leftSection={<IconPlayerSkipForward size={14} aria-hidden />} onClick={() => onGoTo("latest")}>
          Go to latest file
        </Button>
        <Button variant="default" leftSection={<IconPlayerSkipBack size={14} aria-hidden />} onClick={() => onGoTo("earliest")}>
          Go to earliest file
        </Button>
        {choice("Year", year, numbers(yearChoices(now, timezone)), setYear)}
        {choice(
          "Month",
          month,
          months.map((label, index) => ({ value: String(index + 1), label })),
          setMonth,
        )}
        {choice("Day", day, numbers(Array.from({ length: daysInMonth(year, month) }, (_, index) => index + 1)), setDay)}
        <Button
          variant="default"
          leftSection={<IconCalendar size={14} aria-hidden />}
          onClick={() => onGoTo(oneOClock(year, month, day, timezone))}
        >
          Go to chosen date
        </Button>
      </Group>
    </fieldset>
  );
}
