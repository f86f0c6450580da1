import { IconChevronRight } from "@tabler/icons-react";
import { useId, useState, type ReactNode, type Ref } from "react";
import "./expander.css";

export interface ExpanderProps {
  title: string;
  isOpen: boolean;
  onToggle: () => void;
  /** False: opened from elsewhere only. */
  canOpen?: boolean;
  /** Once it was open, keeps what was entered while it is closed. */
  isKept?: boolean;
  buttonRef?: Ref<HTMLButtonElement>;
  /** Of a dialog: where the keyboard begins. */
  isFirst?: boolean;
  children: ReactNode;
}

/** A section below a heading that opens and closes it. */
export function Expander({ title, isOpen, onToggle, canOpen = true, isKept = false, buttonRef, isFirst, children }: ExpanderProps) {
  const id = useId();
  const [hasOpened, setHasOpened] = useState(isOpen);
  if (isOpen && !hasOpened) setHasOpened(true);
  return (
    <section className="expander" aria-labelledby={`${id}-title`}>
      <h3 className="expander-heading" id={`${id}-title`}>
        <button
          type="button"
          ref={buttonRef}
          className="plain-button expander-button"
          aria-expanded={isOpen}
          aria-controls={id}
          disabled={!isOpen && !canOpen}
          data-autofocus={isFirst}
          onClick={onToggle}
        >
          <IconChevronRight size={15} aria-hidden className={isOpen ? "is-open" : ""} />
          {title}
        </button>
      </h3>
      <div id={id} className="expander-body" hidden={!isOpen}>
        {(isOpen || (isKept && hasOpened)) && children}
      </div>
    </section>
  );
}
