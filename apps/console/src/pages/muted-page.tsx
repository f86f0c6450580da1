import { useSession } from "#features/access/session/current-session.ts";
import { MutedScreen } from "#features/alarms/mutes/muted-screen.tsx";
import { MutedMessages } from "#features/system/system-messages/muted-messages.tsx";
import { PageFrame } from "./page-frame.tsx";

export function MutedPage() {
  const seesMessages = useSession()?.roles.includes("systemAdministrator") ?? false;
  return (
    <PageFrame title="Muted">
      <MutedScreen />
      {seesMessages && (
        <>
          <h2 className="muted-title">Messages of the system</h2>
          <MutedMessages />
        </>
      )}
    </PageFrame>
  );
}
