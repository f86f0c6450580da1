import type { RuntimeConfig } from "@busbar/contract/system/runtime-config.ts";
import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Checkbox, Stack, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
// oxlint-disable-next-line no-restricted-imports -- nothing is saved here, and an empty sign-in is no mistake yet
import { useForm, useWatch } from "react-hook-form";
import * as z from "zod/mini";
import { useClient } from "#api/api-context.ts";
import { notBlankText, requiredText } from "#lib/text-rules.ts";
import { lazyPart } from "#lib/lazy-part.ts";
import { MessageLine } from "#ui/message-line.tsx";
import { PasscodeInput } from "#ui/passcode-input.tsx";
import { ProgramPart } from "#ui/program-part.tsx";
import { PasswordField, TextField } from "#ui/text-field.tsx";
import { useOutcome } from "#ui/use-outcome.ts";
import { currentSession } from "./current-session.ts";
import { readLoginEntry, refusedEntryText } from "./login-entry.ts";
import { offeredServers } from "./login-servers.ts";
import { rememberedLogin } from "./remembered-login.ts";
import { isPasscodeAsked, loginFailureText, signIn } from "./session.api.ts";

// Few installations offer servers.
const Select = lazyPart(() => import("#ui/select.tsx"), "Select");

export interface LoginFormProps {
  config: RuntimeConfig;
  isLocalhost: boolean;
}

const LoginFields = z.object({
  username: notBlankText("Username is required").check(z.refine((text) => readLoginEntry(text).kind !== "refused", refusedEntryText)),
  password: requiredText("Password is required"),
  useV2Server: z.boolean(),
  useRemoteServer: z.boolean(),
  server: z.string(),
});
type LoginFields = z.infer<typeof LoginFields>;

const focusWhenShown = (input: HTMLInputElement | null): void => input?.focus();

export function LoginForm({ config, isLocalhost }: LoginFormProps) {
  const call = useClient();
  const servers = offeredServers(config);
  const ownServer = servers[0]?.name ?? "";
  const [whyOver] = useState(() => currentSession.whyOver());
  const { message, say, clear, isWorking } = useOutcome(whyOver === undefined ? undefined : { kind: "validation", text: whyOver });
  // Undefined until the server asks for a code: the second step of a sign-in that needs a second factor, of this person only.
  const [second, setSecond] = useState<{ username: string; code: string } | undefined>();
  const { control, register, handleSubmit, setValue, setFocus } = useForm<LoginFields>({
    resolver: zodResolver(LoginFields),
    defaultValues: {
      username: rememberedLogin.username() ?? "",
      password: "",
      useV2Server: false,
      useRemoteServer: false,
      server: servers.find(({ name }) => name === rememberedLogin.server())?.name ?? ownServer,
    },
  });
  useEffect(() => setFocus(rememberedLogin.username() ? "password" : "username"), [setFocus]);
  const typedName = useWatch({ control, name: "username" });
  const code = second?.username === typedName ? second.code : undefined;
  const server = useWatch({ control, name: "server" });
  const useRemoteServer = useWatch({ control, name: "useRemoteServer" });
  const isServerOffered = isLocalhost || useRemoteServer;

  const submit = handleSubmit(async ({ username, password, useV2Server }) => {
    const entry = readLoginEntry(username);
    if (entry.kind === "refused") return;
    if (code === "") return say({ kind: "validation", text: "Please enter 2FA code" });
    say({ kind: "working", text: "Authenticating, please wait..." }); // LOG-05
    rememberedLogin.rememberServer(isServerOffered ? server : ownServer);
    try {
      await signIn(call, { entry, password, useV2Server, credential: config.initialCredential, ...(code ? { code } : {}) });
    } catch (error) {
      if (isPasscodeAsked(error)) {
        setSecond({ username, code: "" });
        return clear();
      }
      // A code is used once, whatever came of it.
      setSecond((step) => step && { ...step, code: "" });
      say({ kind: "error", text: loginFailureText(error, servers.find(({ name }) => name === server)?.origin) });
    }
    // What the last try said is no longer so.
  }, clear);

  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label="Sign in">
      <Stack gap="sm">
        <TextField
          control={control}
          name="username"
          label="Username"
          description="Your username or e-mail address"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          isRequired
        />
        <PasswordField control={control} name="password" label="Password" autoComplete="current-password" isRequired />
        {isServerOffered && (
          <ProgramPart loading={<TextInput label="Login server" value={server} size="sm" disabled />}>
            <Select
              label="Login server"
              data={servers.map(({ name }) => name)}
              value={server}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              onChange={(name) => setValue("server", name ?? ownServer)}
            />
          </ProgramPart>
        )}
        {config.showServerFlags && (
          <>
            <Checkbox label="Use V2 Server" {...register("useV2Server")} />
            <Checkbox label="Use Remote Java Server" {...register("useRemoteServer")} />
          </>
        )}
        {code !== undefined && (
          <PasscodeInput
            value={code}
            message={message}
            onChange={(typed) => setSecond({ username: typedName, code: typed })}
            description="Of your authenticator app, or a recovery code"
            ref={focusWhenShown}
            w="100%"
          />
        )}
        <Button type="submit" size="sm" disabled={isWorking}>
          Sign in
        </Button>
        <MessageLine message={message} onCleared={clear} />
      </Stack>
    </form>
  );
}
