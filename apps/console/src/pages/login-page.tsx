import { consoleVersion } from "@busbar/contract/system/updates.ts";
import { appInfo } from "#lib/app-info.ts";
import { LoginForm } from "#features/access/session/login-form.tsx";
import { BusbarLogo } from "#ui/busbar-logo.tsx";
import { PageFrame } from "./page-frame.tsx";
import "./login-page.css";

export function LoginPage() {
  return (
    <PageFrame title="Login">
      <div className="login">
        <div className="login-head">
          <BusbarLogo size={40} />
          <h1>Busbar administration</h1>
          <p className="dim">
            Console v{consoleVersion}, {appInfo.environment}
          </p>
        </div>
        <LoginForm config={appInfo.config} isLocalhost={appInfo.isLocalhost} />
      </div>
    </PageFrame>
  );
}
