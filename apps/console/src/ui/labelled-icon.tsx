import type { Icon } from "@tabler/icons-react";

export interface LabelledIconProps {
  icon: Icon;
  label: string;
  className?: string;
  size?: number;
  isFilled?: boolean;
}

/** An icon that says something by itself; its words are its name and its tooltip. */
export function LabelledIcon({ icon: Shape, label, className = "", size = 15, isFilled = false }: LabelledIconProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a drawing in the page is no <img>
    <span role="img" aria-label={label} title={label} className={`icon ${className}`}>
      <Shape size={size} aria-hidden {...(isFilled ? { fill: "currentColor" } : {})} />
    </span>
  );
}
