import type { ReactNode } from "react";
import "./facts.css";

/** What is known of an item, name above value, in as many columns as fit; holds `Fact`s. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="facts">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
