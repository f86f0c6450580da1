import { useEffect } from "react";
import { useApi } from "#api/api-context.ts";
import { signOut } from "#features/access/session/session.api.ts";
import { PageFrame } from "./page-frame.tsx";

/** LOG-10; the router leaves for `/` when the session is gone. */
export function LogoutPage() {
  const call = useApi();
  useEffect(() => {
    void signOut(call);
  }, [call]);
  return (
    <PageFrame title="Logout">
      <p>Signing out…</p>
    </PageFrame>
  );
}
