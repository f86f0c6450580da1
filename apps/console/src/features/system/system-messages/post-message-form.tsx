import { NewSystemMessage } from "@busbar/contract/system/system-messages.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { SaveBar } from "#ui/save-bar.tsx";
import { useSaveForm } from "#ui/save-form.tsx";
import { MultiLineField } from "#ui/text-field.tsx";

export interface PostMessageFormProps {
  /** Resolves when the message is stored. */
  onPost: (message: string) => Promise<unknown>;
}

export function PostMessageForm({ onPost }: PostMessageFormProps) {
  const { control, handleSubmit, reset, refuse, bar } = useSaveForm<NewSystemMessage>({
    resolver: zodResolver(NewSystemMessage),
    defaultValues: { message: "" },
  });
  const submit = handleSubmit(async ({ message }) => {
    await onPost(message).then(
      () => reset(),
      refuse, // said beside the form too; the text stays
    );
  });
  return (
    <form className="post-message" noValidate aria-label="Post a message" onSubmit={(event) => void submit(event)}>
      <MultiLineField control={control} name="message" label="Message" autosize minRows={2} maxRows={8} isRequired />
      <SaveBar saveLabel="Post" {...bar} />
    </form>
  );
}
