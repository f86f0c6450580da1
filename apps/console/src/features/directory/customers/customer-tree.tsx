import { IconBoxOff, IconBuilding, IconBuildingFactory2, IconChevronRight, IconCpu, IconEngine, type Icon } from "@tabler/icons-react";
import { memo, useMemo, useRef, useState, type MouseEvent } from "react";
import { useRowWindow } from "#ui/row-window.ts";
import { RowActions } from "./row-actions.tsx";
import { ItemFacts } from "./item-facts.tsx";
import { actionsOf, type TreePermissions, type TreeRequest } from "./tree-actions.ts";
import type { TreeBranch, TreeItem } from "./tree-branches.ts";
import type { TreeRow } from "./tree-rows.ts";
import { useTreeKeyboard } from "./use-tree-keyboard.ts";

export interface CustomerTreeProps {
  rows: readonly TreeRow[];
  isNarrow: boolean;
  permissions: TreePermissions;
  onToggle: (branch: TreeBranch) => void;
  onRequest: (request: TreeRequest) => void;
}

const wideRow = 34;
const narrowRow = 76;

/** CUS-01: the tree, with only the rows in sight in the page. */
export function CustomerTree({ rows, isNarrow, permissions, onToggle, onRequest }: CustomerTreeProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [activeKey, setActiveKey] = useState<string | undefined>();
  const [isFocused, setIsFocused] = useState(false);
  const activeIndex = useMemo(
    () =>
      Math.max(
        0,
        rows.findIndex(({ branch }) => branch.key === activeKey),
      ),
    [rows, activeKey],
  );
  const rowHeight = isNarrow ? narrowRow : wideRow;
  const {
    rows: drawn,
    totalHeight,
    scrollTo,
  } = useRowWindow({
    count: rows.length,
    rowHeight,
    scroller,
    overscan: 8,
    keyOf: (index) => rows[index]?.branch.key ?? index,
    keptIndex: isFocused ? activeIndex : undefined,
  });
  const open = ({ item }: TreeBranch) => {
    const action = actionsOf(item, permissions).find(({ isDangerous }) => !isDangerous);
    if (action && "request" in action) onRequest(action.request);
  };
  const handlers = useTreeKeyboard({
    rows,
    activeIndex,
    rowHeight,
    scroller,
    scrollTo,
    onActive: setActiveKey,
    onFocused: setIsFocused,
    onToggle,
    onOpen: open,
  });

  return (
    <div className="grid-scroller tree-scroller" ref={scroller}>
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its rows take the focus */}
      <div className="tree" role="tree" aria-label="Customers" style={{ height: totalHeight }} {...handlers}>
        {drawn.map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <TreeLine
                key={row.branch.key}
                row={row}
                index={index}
                start={start}
                height={rowHeight}
                isActive={index === activeIndex}
                isNarrow={isNarrow}
                permissions={permissions}
                onToggle={onToggle}
                onRequest={onRequest}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

const icons: Record<TreeItem["kind"], Icon> = {
  customer: IconBuilding,
  facility: IconBuildingFactory2,
  location: IconEngine,
  node: IconCpu,
  "retired-list": IconBoxOff,
  "retired-node": IconCpu,
};

interface TreeLineProps extends Pick<CustomerTreeProps, "isNarrow" | "permissions" | "onToggle" | "onRequest"> {
  row: TreeRow;
  index: number;
  start: number;
  height: number;
  isActive: boolean;
}

const TreeLine = memo(function TreeLine(props: TreeLineProps) {
  const { row, index, start, height, isActive, isNarrow, permissions, onToggle, onRequest } = props;
  const { branch, isExpanded, hasMore } = row;
  const Shape = icons[branch.item.kind];
  // A link in the row leads elsewhere.
  const toggle = ({ target }: MouseEvent) => (target as Element).closest("a") ?? onToggle(branch);
  return (
    // oxlint-disable-next-line jsx-a11y/role-supports-aria-props, jsx-a11y/click-events-have-key-events -- keys are the tree's
    <div
      role="treeitem"
      className={`tree-row is-level-${branch.level}`}
      data-row={index}
      tabIndex={isActive ? 0 : -1}
      // Its facts, and not the names of all its buttons as well.
      aria-labelledby={`${branch.key}-facts`}
      aria-level={branch.level}
      aria-setsize={row.count}
      aria-posinset={row.place}
      aria-selected={isActive}
      {...(hasMore ? { "aria-expanded": isExpanded } : {})}
      style={{ transform: `translateY(${start}px)`, height }}
    >
      <span
        className={`tree-opener${hasMore ? " has-more" : ""}`}
        aria-hidden="true"
        onClick={hasMore ? () => onToggle(branch) : undefined}
        title={hasMore ? (isExpanded ? "Collapse" : "Expand") : undefined}
      >
        {hasMore && <IconChevronRight size={16} className={isExpanded ? "is-open" : ""} />}
      </span>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- keys are the tree's */}
      <span className="tree-body" id={`${branch.key}-facts`} onClick={hasMore ? toggle : undefined}>
        <Shape size={16} className="tree-icon" aria-hidden />
        <ItemFacts item={branch.item} isExpanded={isExpanded} isActive={isActive} />
      </span>
      <RowActions
        label={branch.label}
        actions={actionsOf(branch.item, permissions)}
        isActive={isActive}
        isNarrow={isNarrow}
        onRequest={onRequest}
      />
    </div>
  );
});
