import { Stack } from "@mantine/core";
import { failureMessage } from "#lib/api-error.ts";
import { FailureState } from "#ui/data-states.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { LoadingForm } from "#ui/loading.tsx";
import { useAccount } from "./account.queries.ts";
import { PasswordSection } from "./password-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { TwoFactorSection } from "./two-factor-section.tsx";
import "./account.css";

/** What the signed-in person sees and changes of their own account. */
export function SecurityDialog({ onClose }: { onClose: () => void }) {
  const { data: account, error, refetch } = useAccount();
  return (
    <Dialog title="Security" onClose={onClose}>
      {!account && !error && <LoadingForm label="Loading your account" fields={4} />}
      {!account && error && <FailureState message={failureMessage(error)} onRetry={() => void refetch()} />}
      {account && (
        <Stack gap="lg">
          <TwoFactorSection account={account} />
          <SessionsSection isPossible={!account.mustEnrolTwoFactor} />
          {!account.mustEnrolTwoFactor && <PasswordSection mustChange={account.mustChangePassword} />}
        </Stack>
      )}
    </Dialog>
  );
}
