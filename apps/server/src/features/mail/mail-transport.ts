import { createTransport } from "nodemailer";
import { cleanText } from "#lib/clean-text.ts";
import type { ClaimedNotification } from "./mail.store.ts";

const connectMs = 5_000;
const longestSilenceMs = 10_000;
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

// A list, a group or a name would be read as more than one recipient.
const isPlainAddress = (text: string): boolean => /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(text);

/** Hands messages to the mail server at `smtpUrl`; without one every message fails with a reason that says so. */
export function createMailTransport(
  smtpUrl: string | undefined,
  from: string,
  { silenceMs = longestSilenceMs }: { silenceMs?: number } = {},
): MailTransport {
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
    async send({ subject, body, messageId, createdAt, ...recipients }) {
      const { to, cc, bcc } = recipients;
      const improper = [...to, ...cc, ...bcc].filter((address) => !isPlainAddress(address));
      if (improper.length === to.length + cc.length + bcc.length)
        return { outcome: "failed", reason: "SMTP: no recipient has a proper address", isFinal: true };
      try {
        const { rejected } = await transport.sendMail({
          from,
          to: to.filter(isPlainAddress),
          cc: cc.filter(isPlainAddress),
          bcc: bcc.filter(isPlainAddress),
          subject,
          text: body,
          messageId,
          date: new Date(createdAt * 1000),
          headers: { "Auto-Submitted": "auto-generated" },
        });
        return { outcome: "taken", refusedRecipients: [...improper, ...rejected] };
      } catch (error) {
        const { message, code, responseCode = 0 } = error as SmtpError;
        // 5xx about the message or its recipients; a refused sign-in (EAUTH) is a fault of the configuration and may be mended.
        const isFinal = responseCode >= 500 && code !== "EAUTH";
        return { outcome: "failed", reason: cleanText(`SMTP: ${message}`, longestReason), isFinal };
      }
    },
  };
}
