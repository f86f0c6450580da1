import { useNavigate, useParams } from "@tanstack/react-router";
import { useCallback } from "react";
import { EventScreen } from "#features/files/event-files/event-screen.tsx";
import { eventFilterNames } from "#features/files/event-files/event-filter.ts";
import { readRange, writeRange } from "#features/files/event-files/time-range.ts";
import { PageFrame } from "./page-frame.tsx";
import { useAddressTexts } from "./use-address-texts.ts";

export function EventPage() {
  const { eventName = "" } = useParams({ strict: false }) as { eventName?: string };
  const [texts, , goTo] = useAddressTexts(`/events/${eventName}`, [...eventFilterNames, "begin", "end"]);
  const { begin, end, ...filter } = texts;
  const navigate = useNavigate();
  const go = useCallback((href: string) => void navigate({ href: href.slice(1) }), [navigate]);
  return (
    <PageFrame title={`Event ${eventName}`}>
      <EventScreen
        key={eventName}
        eventName={eventName}
        filter={filter}
        range={readRange(begin, end)}
        onRange={(range) => {
          const { from, to } = range ? writeRange(range) : { from: "", to: "" };
          goTo({ ...texts, begin: from, end: to });
        }}
        onGo={go}
      />
    </PageFrame>
  );
}
