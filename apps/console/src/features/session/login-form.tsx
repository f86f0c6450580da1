import type { RuntimeConfig } from "@busbar/contract/runtime-config.ts";
import { Alert, Button, Checkbox, Loader, PasswordInput, Select, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { SubmitEvent } from "react";
import { useApi } from "#api/api-context.ts";
import { readLoginEntry } from "./login-entry.ts";
import { loginFailureText, signIn } from "./session.api.ts";
import { rememberedLogin } from "./session-store.ts";

export interface LoginFormProps {
  config: RuntimeConfig;
  isLocalhost: boolean;
}

const ownServer = "This server";

export function LoginForm({ config, isLocalhost }: LoginFormProps) {
  const call = useApi();
  const servers = [{ name: ownServer, origin: "" }, ...config.loginServers];
  const [username, setUsername] = useState(rememberedLogin.username() ?? "");
  const [password, setPassword] = useState("");
  const [useV2Server, setUseV2Server] = useState(false);
  const [useRemoteServer, setUseRemoteServer] = useState(false);
  const [server, setServer] = useState(rememberedLogin.server() ?? ownServer);
  const [problems, setProblems] = useState<{ username?: string; password?: string }>({});
  const [state, setState] = useState<{ kind: "idle" } | { kind: "working" } | { kind: "failed"; text: string }>({ kind: "idle" });

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const entry = readLoginEntry(username);
    const found = {
      ...(username.trim() === "" ? { username: "Username is required" } : entry.kind === "refused" ? { username: entry.why } : {}),
      ...(password === "" ? { password: "Password is required" } : {}),
    };
    setProblems(found);
    if (entry.kind === "refused" || Object.keys(found).length > 0) return;
    setState({ kind: "working" });
    try {
      const serverOrigin = isLocalhost || useRemoteServer ? (servers.find(({ name }) => name === server)?.origin ?? "") : "";
      await signIn(call, { entry, password, useV2Server, serverOrigin, credential: config.initialCredential });
    } catch (error) {
      setState({ kind: "failed", text: loginFailureText(error) });
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label="Sign in">
      <Stack gap="sm">
        <TextInput
          label="Username"
          description="Your username or e-mail address"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          withAsterisk
          required
          value={username}
          error={problems.username}
          onChange={(event) => setUsername(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          withAsterisk
          required
          value={password}
          error={problems.password}
          visibilityToggleButtonProps={{ "aria-label": "Show password" }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {(isLocalhost || useRemoteServer) && (
          <Select
            label="Login server"
            data={servers.map(({ name }) => name)}
            value={server}
            allowDeselect={false}
            onChange={(name) => {
              setServer(name ?? ownServer);
              rememberedLogin.rememberServer(name ?? ownServer);
            }}
          />
        )}
        {config.showServerFlags && (
          <>
            <Checkbox label="Use V2 Server" checked={useV2Server} onChange={(event) => setUseV2Server(event.currentTarget.checked)} />
            <Checkbox label="Use Remote Java Server" checked={useRemoteServer} onChange={(event) => setUseRemoteServer(event.currentTarget.checked)} />
          </>
        )}
        <Button type="submit" size="sm" disabled={state.kind === "working"}>
          Sign in
        </Button>
        {state.kind === "working" && (
          <Alert color="blue" role="status" icon={<Loader size={14} />} py={6}>
            Authenticating, please wait...
          </Alert>
        )}
        {state.kind === "failed" && (
          <Alert color="red" role="alert" py={6}>
            {state.text}
          </Alert>
        )}
      </Stack>
    </form>
  );
}
