import { counted } from "@busbar/contract/values/counted.ts";
import { Notice } from "#ui/notice.tsx";
import { useWaitingTicks } from "./use-waiting-ticks.ts";

/** On every screen while something that this person entered at a machine waits: it is sent from wherever they are. */
export function TicksElsewhere({ username }: { username: string }) {
  const { ticks } = useWaitingTicks(username);
  if (ticks.length === 0) return null;
  const refused = ticks.filter(({ refusal }) => refusal !== undefined).length;
  return (
    <Notice kind={refused > 0 ? "error" : "warning"}>
      {counted(ticks.length, "deployment task waits", "deployment tasks wait")} to be sent
      {refused > 0 && `, ${counted(refused, "of them was", "of them were")} not saved`}:{" "}
      {[...new Set(ticks.map(({ serial }) => serial))].map((serial) => (
        <a key={serial} className="mono waiting-node" href={`#/deployments/${serial}`}>
          {serial}
        </a>
      ))}
    </Notice>
  );
}
