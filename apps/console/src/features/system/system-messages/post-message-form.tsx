import { NewSystemMessage } from "@busbar/contract/system/system-messages.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { SaveForm, useSaveForm } from "#ui/save-form.tsx";
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
    <SaveForm form={{ line: undefined, bar }} onSubmit={submit} saveLabel="Post" className="post-message" label="Post a message">
      <MultiLineField control={control} name="message" label="Message" autosize minRows={2} maxRows={8} isRequired />
    </SaveForm>
  );
}
