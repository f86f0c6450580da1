import { ActionIcon, Button, Group } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from "@tabler/icons-react";
import type { ReactNode } from "react";

export interface ZoomToolsProps {
  isWhole: boolean;
  /** Below 1 a shorter part. */
  onZoom: (factor: number) => void;
  /** Share of what is in sight. */
  onMove: (share: number) => void;
  onReset: () => void;
}

export function ZoomTools({ isWhole, onZoom, onMove, onReset }: ZoomToolsProps) {
  const tool = (label: string, icon: ReactNode, isDisabled: boolean, onClick: () => void) => (
    <ActionIcon variant="default" size={26} aria-label={label} title={label} disabled={isDisabled} onClick={onClick}>
      {icon}
    </ActionIcon>
  );
  return (
    <Group gap={4}>
      {tool("Earlier part", <IconChevronLeft size={15} aria-hidden />, isWhole, () => onMove(-0.5))}
      {tool("Zoom in", <IconZoomIn size={15} aria-hidden />, false, () => onZoom(0.5))}
      {tool("Zoom out", <IconZoomOut size={15} aria-hidden />, isWhole, () => onZoom(2))}
      {tool("Later part", <IconChevronRight size={15} aria-hidden />, isWhole, () => onMove(0.5))}
      <Button variant="default" size="compact-sm" disabled={isWhole} onClick={onReset}>
        Whole record
      </Button>
    </Group>
  );
}
