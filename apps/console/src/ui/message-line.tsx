import { Alert, Loader } from "@mantine/core";
import { useEffect, useState } from "react";

/** COM-02: what a dialog says about its work. */
export type Message = { kind: "success" | "error" | "validation" | "working"; text: string };

export const successSeconds = 5;

export interface MessageLineProps {
  message: Message | undefined;
  /** Called when a success has been shown long enough. */
  onCleared: () => void;
}

const colors = { success: "green", error: "red", validation: "yellow", working: "blue" } as const;

export function MessageLine({ message, onCleared }: MessageLineProps) {
  if (!message) return null;
  if (message.kind === "success") return <SuccessLine key={message.text} text={message.text} onCleared={onCleared} />;
  return (
    <Alert color={colors[message.kind]} role={message.kind === "error" ? "alert" : "status"} py={6} icon={message.kind === "working" ? <Loader size={14} /> : undefined}>
      {message.text}
    </Alert>
  );
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
    <Alert color={colors.success} role="status" py={6}>
      {text} <span aria-hidden="true">({secondsLeft})</span>
    </Alert>
  );
}
