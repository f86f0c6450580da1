import { Notice, NoticeButton } from "#ui/notice.tsx";
import { useAccount } from "./account.queries.ts";

/** What a person must do before anything else is possible, on every screen until it is done. */
export function AccountNotice({ onOpenSecurity }: { onOpenSecurity: () => void }) {
  const { data: account } = useAccount();
  if (!account?.mustEnrolTwoFactor && !account?.mustChangePassword) return null;
  return (
    <Notice kind="warning" action={<NoticeButton onClick={onOpenSecurity}>Open Security</NoticeButton>}>
      {account.mustEnrolTwoFactor
        ? "Your account needs two-factor authentication. Set it up first: nothing else is possible before."
        : "An administrator set your password. Choose your own first: nothing else is possible before."}
    </Notice>
  );
}
