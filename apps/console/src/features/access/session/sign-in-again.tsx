import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { useReturnFocus } from "#ui/dialog-frame.tsx";
import { LoginForm, type LoginFormProps } from "./login-form.tsx";
import { currentSession } from "./current-session.ts";
import "./sign-in-again.css";

export interface SignInAgainProps extends LoginFormProps {
  /** Whose screen waits. */
  username: string;
}

/** Decision 0052. Over a screen that holds something unsaved: nothing of it is seen, reached or printed until the same person is back. */
export function SignInAgain({ username, ...form }: SignInAgainProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // The page below is to be reached again, also where the element itself is kept.
    return () => shown?.close();
  }, []);
  useReturnFocus();
  return createPortal(
    <dialog
      ref={dialog}
      className="sign-in-again"
      aria-labelledby="sign-in-again"
      onCancel={(event) => event.preventDefault()}
      // A browser lets a second Escape close it all the same, and would leave a page on which nothing is visible.
      onClose={() => dialog.current?.isConnected && dialog.current.showModal()}
      // The keys of the screen below do nothing meanwhile.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className="sign-in-again-form">
        <h1 id="sign-in-again" className="page-title">
          Sign in again
        </h1>
        <p>
          What {username} entered here is not saved yet. It is kept for {username} while this page stays open.
        </p>
        <LoginForm {...form} />
        <Button variant="subtle" size="compact-sm" onClick={currentSession.letGo}>
          Discard it
        </Button>
      </div>
    </dialog>,
    document.body,
  );
}
