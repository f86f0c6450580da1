import { ActionIcon, Button, Group, TextInput } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { NativeSelect } from "#ui/native-select.tsx";
import { codeOfRange, presets, rangeText, readRange, type TrendRange } from "./trend-range.ts";

export interface RangeToolsProps {
  range: TrendRange;
  timezone: string;
  /** Epoch seconds. */
  now: () => number;
  onRange: (range: TrendRange) => void;
  onNeighbour: (direction: -1 | 1) => void;
  /** Below 1 a shorter time. */
  onZoom: (factor: number) => void;
  /** Back to what was chosen before zooming; undefined where nothing was zoomed. */
  onReset: (() => void) | undefined;
  onLive: () => void;
}

/** Which time is shown: a preset, a text, the one before or after, and whether it goes on. */
export function RangeTools({ range, timezone, now, onRange, onNeighbour, onZoom, onReset, onLive }: RangeToolsProps) {
  const isLive = "last" in range;
  const code = codeOfRange(range);
  const isPreset = presets.some((preset) => preset.code === code);
  const text = rangeText(range, timezone);
  const tool = (label: string, icon: ReactNode, onClick: () => void) => (
    <ActionIcon variant="default" size={30} aria-label={label} title={label} onClick={onClick}>
      {icon}
    </ActionIcon>
  );
  return (
    <Group gap={6} className="trend-range">
      <NativeSelect
        aria-label="Range"
        data={[...(isPreset ? [] : [{ value: "", label: "chosen time" }]), ...presets.map(({ code: value, label }) => ({ value, label }))]}
        value={isPreset ? code : ""}
        onChange={({ currentTarget }) => {
          const preset = readRange(presets.find(({ code: each }) => each === currentTarget.value)?.label ?? "", timezone, now());
          if ("range" in preset) onRange(preset.range);
        }}
      />
      {tool("Earlier", <IconChevronLeft size={16} aria-hidden />, () => onNeighbour(-1))}
      <RangeText key={text} text={text} read={(written) => readRange(written, timezone, now())} onRange={onRange} />
      {tool("Later", <IconChevronRight size={16} aria-hidden />, () => onNeighbour(1))}
      {tool("Zoom in", <IconZoomIn size={16} aria-hidden />, () => onZoom(0.5))}
      {tool("Zoom out", <IconZoomOut size={16} aria-hidden />, () => onZoom(2))}
      <Button variant="default" size="compact-md" disabled={!onReset} onClick={onReset} title="Key: 0">
        Reset
      </Button>
      <Button variant={isLive ? "light" : "default"} size="compact-md" aria-pressed={isLive} onClick={onLive}>
        <span aria-hidden="true" className="trend-live">
          {isLive ? "●" : "○"}
        </span>
        Live
      </Button>
    </Group>
  );
}

interface RangeTextProps {
  text: string;
  read: (text: string) => ReturnType<typeof readRange>;
  onRange: (range: TrendRange) => void;
}

/** The range in words, which may be written anew. */
function RangeText({ text, read, onRange }: RangeTextProps) {
  const [written, setWritten] = useState(text);
  const [problem, setProblem] = useState("");
  const send = () => {
    const result = read(written);
    setProblem("problem" in result ? result.problem : "");
    if ("range" in result) onRange(result.range);
  };
  return (
    <TextInput
      aria-label="From and to"
      className="trend-range-text"
      value={written}
      error={problem || undefined}
      spellCheck={false}
      onChange={({ currentTarget }) => setWritten(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === "Enter") send();
      }}
    />
  );
}
