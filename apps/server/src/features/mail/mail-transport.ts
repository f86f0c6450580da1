import { createTransport } from "nodemailer";
import { cleanText } from "#lib/clean-text.ts";
import type { ClaimedNotification } from "./mail.store.ts";

const connectMs = 5_000;
const silenceMs = 10_000;
const longestReason = 300;

/** What became of handing a message to the mail server. */
export type Handover =
  | { outcome: "taken"; refusedRecipients: string[] }
  /** `isFinal`: the server will never take this message. */
  | { outcome: "failed"; reason: string; isFinal: boolean };

export interface MailTransport {
  send(message: ClaimedNotification): Promise<Handover>;
}

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
}

/** Hands messages to the mail server at `smtpUrl`; without one every message fails with a reason that says so. */
export function createMailTransport(smtpUrl: string | undefined, from: string): MailTransport {
  if (smtpUrl === undefined) {
    return {
      send: () => Promise.resolve({ outcome: "failed", reason: "SMTP: no mail server is configured (SMTP_URL)", isFinal: false }),
    };
  }
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    dnsTimeout: connectMs,
    // A message comes from the database: it must never make this server read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ subject, to, cc, bcc, body, messageId, createdAt }) {
      try {
        const { rejected } = await transport.sendMail({
          from,
          to,
          cc,
          bcc,
          subject,
          text: body,
          messageId,
          date: new Date(createdAt * 1000),
          headers: { "Auto-Submitted": "auto-generated" },
        });
        return { outcome: "taken", refusedRecipients: [...rejected] };
      } catch (error) {
        const { message, code, responseCode = 0 } = error as SmtpError;
        // 5xx about the message or its recipients; a refused sign-in (EAUTH) is a fault of the configuration and may be mended.
        const isFinal = responseCode >= 500 && code !== "EAUTH";
        return { outcome: "failed", reason: cleanText(`SMTP: ${message}`, longestReason), isFinal };
      }
    },
  };
}
