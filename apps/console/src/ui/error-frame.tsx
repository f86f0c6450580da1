import type { NewConsoleError } from "@busbar/contract/system/system-messages.ts";
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconReload } from "@tabler/icons-react";
import { createContext, use, useEffect, useState } from "react";
import { errorReport, isMissingPart } from "#lib/error-report.ts";
import { CopyButton } from "./copy-button.tsx";
import "./error-frame.css";

/** Sends a failure to the server; rejects when it was not kept. */
export type SendReport = (report: NewConsoleError) => Promise<void>;
export const SendReportContext = createContext<SendReport>(() => Promise.reject(new Error("No server to report to")));

const sent = new Map<string, Promise<void>>();

export interface ErrorFrameProps {
  /** What is missing now: the screen, the dialog or a part of it. */
  what: "screen" | "dialog" | "part";
  error: unknown;
}

/** In place of what could not be drawn: what happened, what one can do, and the id under which the server knows it. */
export function ErrorFrame({ what, error }: ErrorFrameProps) {
  const [report] = useState(() => errorReport(error, location.hash));
  const isKept = useReport(report);
  const Heading = what === "screen" ? "h1" : "h3";
  return (
    <section className="error-frame" role="alert">
      <Heading className="page-title">
        <IconAlertTriangle size={18} aria-hidden className="icon bad" /> This {what} could not be shown
      </Heading>
      <p>
        {isMissingPart(error)
          ? "A part of the program could not be loaded. The console was updated meanwhile, or the connection was interrupted. Reload the page to go on."
          : "The console failed while it was drawing. What was saved before is kept. Reload the page; if it fails again, give the error id to your administrator."}
      </p>
      <p>
        Error id <b className="mono">{report.id}</b> <CopyButton text={report.id} label={`Copy ${report.id}`} isInTabOrder />
        <span className="dim" aria-live="polite">
          {isKept === true && " It is in the server's errors too."}
          {isKept === false && " The report did not reach the server."}
        </span>
      </p>
      <Button leftSection={<IconReload size={16} aria-hidden />} onClick={() => location.reload()}>
        Reload the page
      </Button>
    </section>
  );
}

/** Undefined until the server has answered. What was reported once is not reported again. */
function useReport(report: NewConsoleError): boolean | undefined {
  const send = use(SendReportContext);
  const [isKept, setIsKept] = useState<boolean | undefined>();
  useEffect(() => {
    const sending = sent.get(report.id) ?? send(report);
    sent.set(report.id, sending);
    sending.then(
      () => setIsKept(true),
      () => {
        sent.delete(report.id);
        setIsKept(false);
      },
    );
  }, [send, report]);
  return isKept;
}
