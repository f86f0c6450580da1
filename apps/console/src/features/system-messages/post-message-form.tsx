import { NewSystemMessage } from "@busbar/contract/system-messages.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { SaveBar } from "#ui/save-bar.tsx";
import { MultiLineField } from "#ui/text-field.tsx";

export interface PostMessageFormProps {
  isWorking: boolean;
  /** Resolves when the message is stored. */
  onPost: (message: string) => Promise<unknown>;
}

export function PostMessageForm({ isWorking, onPost }: PostMessageFormProps) {
  const { control, handleSubmit, formState, reset } = useForm<NewSystemMessage>({
    resolver: zodResolver(NewSystemMessage),
    mode: "onChange",
    defaultValues: { message: "" },
  });
  const submit = handleSubmit(async ({ message }) => {
    await onPost(message).then(
      () => reset(),
      () => undefined, // said beside the form; the text stays
    );
  });
  return (
    <form className="post-message" noValidate aria-label="Post a message" onSubmit={(event) => void submit(event)}>
      <MultiLineField control={control} name="message" label="Message" autosize minRows={2} maxRows={8} isRequired />
      <SaveBar saveLabel="Post" isValid={formState.isValid} isWorking={isWorking} />
    </form>
  );
}
