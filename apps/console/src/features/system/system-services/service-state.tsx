import type { Service } from "@busbar/contract/system/system-services.ts";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconInfinity,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlugConnectedX,
  type Icon,
} from "@tabler/icons-react";
import { useClock } from "#lib/clock.ts";
import { serviceTime } from "#lib/service-time.ts";
import { runWords, stateOf, workWords, type ServiceState } from "./service-words.ts";
import "#ui/status-badge.css";

const looks: Record<ServiceState, { tone: string; shape: Icon }> = {
  Running: { tone: "info", shape: IconPlayerPlay },
  Idle: { tone: "good", shape: IconCircleCheck },
  "Always on": { tone: "good", shape: IconInfinity },
  Disabled: { tone: "plain", shape: IconPlayerPause },
  "Not running": { tone: "bad", shape: IconPlugConnectedX },
  Failing: { tone: "bad", shape: IconAlertTriangle },
};

interface OfService {
  service: Service;
}

/** The state as a shape and a word. */
export function StateBadge({ service }: OfService) {
  const state = stateOf(service);
  const { tone, shape: Shape } = looks[state];
  return (
    <span className={`status-badge service-state status-${tone}`}>
      <Shape size={12} aria-hidden />
      {state}
    </span>
  );
}

/** For how long a service that is switched on has been failing. */
export function FailingFor({ service }: OfService) {
  const { failingSince } = service;
  const state = stateOf(service);
  const duration = useClock((now) => (failingSince === null ? "" : serviceTime(now - failingSince)));
  if (state === "Failing") return <>for {duration}</>;
  return state === "Running" && failingSince !== null ? <>failing for {duration}</> : null;
}

/** SYS-02: when it ran and will run. */
export function RunWords({ service, otherwise = "" }: OfService & { otherwise?: string }) {
  return <>{useClock((now) => runWords(service, now) ?? otherwise)}</>;
}

/** What it did last, and what it has to say about it. */
export function WorkWords({ service }: OfService) {
  const work = useClock((now) => workWords(service, now) ?? "");
  return (
    <>
      {work !== "" && <div>{work}</div>}
      {service.logEntry !== "" && <div>{service.logEntry}</div>}
    </>
  );
}
