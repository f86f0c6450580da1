import { IconChevronRight } from "@tabler/icons-react";
import { useId } from "react";
import type { ReactNode } from "react";
import "./expander.css";

export interface ExpanderProps {
  title: string;
  isOpen: boolean;
  onToggle: () => void;
  /** False: opened from elsewhere only. */
  canOpen?: boolean;
  /** Keeps what was entered while it is closed. */
  isKept?: boolean;
  children: ReactNode;
}

/** A section below a heading that opens and closes it. */
export function Expander({ title, isOpen, onToggle, canOpen = true, isKept = false, children }: ExpanderProps) {
  const id = useId();
  return (
    <section className="expander">
      <h3 className="expander-heading">
        <button
          type="button"
          className="plain-button expander-button"
          aria-expanded={isOpen}
          aria-controls={id}
          disabled={!isOpen && !canOpen}
          onClick={onToggle}
        >
          <IconChevronRight size={15} aria-hidden className={isOpen ? "is-open" : ""} />
          {title}
        </button>
      </h3>
      <div id={id} className="expander-body" hidden={!isOpen}>
        {(isOpen || isKept) && children}
      </div>
    </section>
  );
}
