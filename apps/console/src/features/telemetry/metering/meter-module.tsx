import type { ReactNode } from "react";
import { useClock } from "#lib/clock.ts";
import { HoverTimes } from "#ui/date-time.tsx";
import { LateBadge } from "#ui/status-badge.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";

export interface MeterModuleProps {
  title: string;
  /** When its readings were taken; null while there are none. */
  at: number | null;
  /** Seconds after which they are late. */
  lateAfter: number;
  timezone: string;
  className?: string;
  children: ReactNode;
}

/** Readings that were taken together, with their age; late ones fade and say so. */
export function MeterModule({ title, at, lateAfter, timezone, className = "", children }: MeterModuleProps) {
  const isLate = useClock((now) => at !== null && now - at > lateAfter);
  return (
    <section className={`meter-module ${isLate ? "meter-late" : ""} ${className}`} aria-label={title}>
      <h2 className="meter-title">
        {title}
        <span className="meter-age">
          {isLate && <LateBadge />}{" "}
          {at === null ? (
            "no value yet"
          ) : (
            <HoverTimes timestamp={at} timezone={timezone}>
              <TimeAgo timestamp={at} />
            </HoverTimes>
          )}
        </span>
      </h2>
      {children}
    </section>
  );
}
