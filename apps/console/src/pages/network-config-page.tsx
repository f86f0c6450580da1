import { NetworkConfigScreen } from "#features/telemetry/network-config-log/network-config.tsx";
import { PageFrame } from "./page-frame.tsx";
import { useAddressTexts } from "./use-address-texts.ts";

export function NetworkConfigPage() {
  const [{ filter }, change] = useAddressTexts("/networkconfig", ["filter"]);
  return (
    <PageFrame title="Network Config">
      <NetworkConfigScreen filter={filter} onFilter={(text) => change({ filter: text })} />
    </PageFrame>
  );
}
