import type { MenuGroup, MenuItem } from "./menu.ts";

export interface SideMenuProps {
  groups: MenuGroup[];
  currentPath: string;
  isCollapsed: boolean;
  onNavigate: () => void;
  /** Fetches a screen's code before it is requested. */
  onHover: (path: string) => void;
}

export function SideMenu({ groups, currentPath, isCollapsed, onNavigate, onHover }: SideMenuProps) {
  return (
    <div className="side-menu">
      {groups.map((group) => (
        <MenuSection key={group.label ?? group.items[0]?.path} group={group} isCollapsed={isCollapsed}>
          {group.items.map((item) => (
            <MenuLink
              key={item.path}
              item={item}
              isCurrent={isWithin(currentPath, item.path)}
              isCollapsed={isCollapsed}
              onNavigate={onNavigate}
              onHover={onHover}
            />
          ))}
        </MenuSection>
      ))}
    </div>
  );
}

function MenuSection({ group, isCollapsed, children }: { group: MenuGroup; isCollapsed: boolean; children: React.ReactNode }) {
  if (!group.label) return <ul className="bare-list">{children}</ul>;
  return (
    <section aria-label={group.label}>
      <h2 className={isCollapsed ? "visually-hidden" : "menu-heading"}>{group.label}</h2>
      <ul className="bare-list">{children}</ul>
    </section>
  );
}

interface MenuLinkProps {
  item: MenuItem;
  isCurrent: boolean;
  isCollapsed: boolean;
  onNavigate: () => void;
  onHover: (path: string) => void;
}

function MenuLink({ item, isCurrent, isCollapsed, onNavigate, onHover }: MenuLinkProps) {
  const Icon = item.icon;
  return (
    <li>
      <a
        href={`#${item.path}`}
        className="menu-link"
        aria-current={isCurrent ? "page" : undefined}
        aria-label={isCollapsed ? item.label : undefined}
        onClick={onNavigate}
        onMouseEnter={() => onHover(item.path)}
        onFocus={() => onHover(item.path)}
      >
        <Icon size={16} />
        {!isCollapsed && <span>{item.label}</span>}
      </a>
    </li>
  );
}

const isWithin = (currentPath: string, path: string) => currentPath === path || currentPath.startsWith(`${path}/`);
