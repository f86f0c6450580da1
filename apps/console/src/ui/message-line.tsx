import { useEffect, useState } from "react";
import { Notice } from "./notice.tsx";

/** COM-02: what a dialog says about its work. */
export type Message = { kind: "success" | "error" | "validation" | "working"; text: string };

export const successSeconds = 5;

export interface MessageLineProps {
  message: Message | undefined;
  /** Called when a success has been shown long enough; without, it stays until someone closes the dialog. */
  onCleared: (() => void) | undefined;
}

export function MessageLine({ message, onCleared }: MessageLineProps) {
  if (!message) return null;
  if (message.kind === "success" && onCleared) return <SuccessLine key={message.text} text={message.text} onCleared={onCleared} />;
  return <Notice kind={message.kind}>{message.text}</Notice>;
}

function SuccessLine({ text, onCleared }: { text: string; onCleared: () => void }) {
  const [secondsLeft, setSecondsLeft] = useState(successSeconds);
  useEffect(() => {
    const timer = setInterval(() => setSecondsLeft((seconds) => seconds - 1), 1000);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => {
    if (secondsLeft <= 0) onCleared();
  }, [secondsLeft, onCleared]);
  return (
    <Notice kind="success">
      {text} <span aria-hidden="true">({secondsLeft})</span>
    </Notice>
  );
}
