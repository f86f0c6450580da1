import { Stack } from "@mantine/core";
import { Dialog } from "#ui/dialog.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { useAccount } from "./account.queries.ts";
import { PasswordSection } from "./password-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { TwoFactorSection } from "./two-factor-section.tsx";
import "./account.css";

/** What the signed-in person sees and changes of their own account. */
export function SecurityDialog({ onClose }: { onClose: () => void }) {
  const asked = useAccount();
  return (
    <Dialog title="Security" onClose={onClose}>
      <Loaded of={asked} loading={<LoadingForm label="Loading your account" fields={4} />}>
        {(account) => (
          <Stack gap="lg">
            <TwoFactorSection account={account} />
            <SessionsSection isPossible={!account.mustEnrolTwoFactor} />
            {!account.mustEnrolTwoFactor && <PasswordSection mustChange={account.mustChangePassword} />}
          </Stack>
        )}
      </Loaded>
    </Dialog>
  );
}
