import type { ReactNode } from "react";
import "./panel.css";

export interface PanelProps {
  title: string;
  /** At the end of the title: a count, an age, a link. */
  aside?: ReactNode;
  className?: string;
  /** Where something in the page leads to it. */
  id?: string;
  children: ReactNode;
}

/** A part of a page about one item. */
export function Panel({ title, aside, className = "", id, children }: PanelProps) {
  return (
    <section className={`panel ${className}`} aria-label={title} {...(id === undefined ? {} : { id, tabIndex: -1 })}>
      <h2 className="panel-title">
        {title}
        {aside !== undefined && <span className="panel-aside">{aside}</span>}
      </h2>
      {children}
    </section>
  );
}
