import { counted } from "@busbar/contract/values/counted.ts";
import { Button, Group, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useMemo, useRef, useState } from "react";
import { formatCount } from "#lib/format-number.ts";
import { visibleText } from "#lib/visible-text.ts";
import { useRowWindow } from "./row-window.ts";
import "./raw-text.css";

/** Up to here the browser's own search finds everything. */
const wholeBelow = 256 * 1024;
const lineHeight = 18;

/** The text as it is; a long one draws only the lines in sight and has a search of its own. */
export function RawText({ text, label }: { text: string; label: string }) {
  const shown = useMemo(() => visibleText(text), [text]);
  if (shown.length <= wholeBelow) {
    return (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard
      <pre className="raw-text mono" tabIndex={0} aria-label={label}>
        {shown}
      </pre>
    );
  }
  return <LongText text={shown} label={label} />;
}

function LongText({ text, label }: { text: string; label: string }) {
  const lines = useMemo(() => text.split("\n"), [text]);
  const scroller = useRef<HTMLDivElement>(null);
  const [search, setSearch] = useState("");
  /** Line that was found; null: none has it. */
  const [found, setFound] = useState<number | null | undefined>();
  const { rows, gapAfter, scrollTo } = useRowWindow({ count: lines.length, rowHeight: lineHeight, scroller, overscan: 20 });
  const findNext = () => {
    const text = search.toLowerCase();
    if (text === "") return;
    const from = (found ?? -1) + 1;
    const isMatch = (index: number) => lines[index]!.toLowerCase().includes(text);
    const order = lines.map((_, index) => (from + index) % lines.length);
    const next = order.find(isMatch);
    setFound(next ?? null);
    if (next !== undefined) scrollTo(next);
  };
  return (
    <>
      <Group gap="xs" mb={6} className="no-print">
        <TextInput
          size="xs"
          aria-label="Find in the text"
          placeholder="Find in the text"
          value={search}
          onChange={({ currentTarget }) => {
            setSearch(currentTarget.value);
            setFound(undefined);
          }}
          onKeyDown={({ key }) => key === "Enter" && findNext()}
        />
        <Button variant="default" leftSection={<IconSearch size={14} aria-hidden />} onClick={findNext}>
          Find next
        </Button>
        <output className="dim">
          {found === undefined && counted(lines.length, "line")}
          {found === null && `Not found in ${counted(lines.length, "line")}`}
          {typeof found === "number" && `Line ${formatCount(found + 1)} of ${formatCount(lines.length)}`}
        </output>
      </Group>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard */}
      <section className="raw-text mono" ref={scroller} tabIndex={0} aria-label={label}>
        {rows.map(({ index, gapBefore }) => (
          <div
            key={index}
            style={{ marginTop: gapBefore, height: lineHeight }}
            className={index === found ? "raw-line is-found" : "raw-line"}
          >
            {lines[index]}
          </div>
        ))}
        <div style={{ height: gapAfter }} />
      </section>
    </>
  );
}
