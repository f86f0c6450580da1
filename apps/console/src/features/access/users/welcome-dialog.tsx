import { sendWelcomeEmail, type User } from "@busbar/contract/access/users.ts";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useApi } from "#api/api-context.ts";
import { ApiError } from "#lib/api-error.ts";
import { useOutcome } from "#ui/use-outcome.ts";
import { Dialog } from "#ui/dialog.tsx";
import { MessageLine } from "#ui/message-line.tsx";
import { Notice } from "#ui/notice.tsx";

// USR-08, letter for letter
const sendingText = "Sending email, please wait...";
const sentText = "Email sent.";
const noFirstNameText = "User does not have a first name. Please set it before you send a welcome email.";
const unexpectedText = "Unexpected error happened, Please try later.";

export function WelcomeDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const call = useApi();
  const outcome = useOutcome();
  const hasFirstName = user.firstName.trim() !== "";
  const send = async () => {
    await outcome.run(
      async () => {
        try {
          await call(sendWelcomeEmail, { params: { id: String(user.id) } });
        } catch (error) {
          const hasMessage = error instanceof ApiError && error.message !== "";
          throw hasMessage ? error : new ApiError(0, "UNEXPECTED", unexpectedText);
        }
        return sentText;
      },
      { working: sendingText },
    );
  };

  return (
    <Dialog title={`Send Welcome Email to ${user.username}`} onClose={onClose}>
      <Stack gap="sm">
        <Text>The welcome e-mail goes to {user.email || "an address that is not known"}. It names the account, never the password.</Text>
        {!hasFirstName && <Notice kind="validation">{noFirstNameText}</Notice>}
        <MessageLine message={outcome.message} onCleared={outcome.clear} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button onClick={() => void send()} disabled={!hasFirstName || outcome.isWorking} loading={outcome.isWorking} data-autofocus>
            Send Email
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
