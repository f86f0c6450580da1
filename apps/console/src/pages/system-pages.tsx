import { ServiceList } from "#features/system/system-services/service-list.tsx";
import { SystemConfig } from "#features/system/system-config/system-config.tsx";
import { SystemMessages } from "#features/system/system-messages/system-messages.tsx";
import { PageFrame } from "./page-frame.tsx";

export function ServicesPage() {
  return (
    <PageFrame title="Service State">
      <ServiceList />
    </PageFrame>
  );
}

export function ErrorsPage() {
  return (
    <PageFrame title="Service State">
      <SystemMessages kind="error" />
    </PageFrame>
  );
}

export function WarningsPage() {
  return (
    <PageFrame title="Service State">
      <SystemMessages kind="warning" />
    </PageFrame>
  );
}

export function DebugPage() {
  return (
    <PageFrame title="Service State">
      <SystemMessages kind="debug" />
    </PageFrame>
  );
}

export function SystemConfigPage() {
  return (
    <PageFrame title="Configure Application">
      <SystemConfig />
    </PageFrame>
  );
}
