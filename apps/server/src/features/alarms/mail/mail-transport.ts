import { createTransport } from "nodemailer";
import { cleanText } from "#lib/clean-text.ts";
import type { ClaimedNotification } from "./mail.store.ts";

const connectMs = 5_000;
const longestSilenceMs = 10_000;
// A server that goes on saying little must not outlast the message's lease.
const longestHandoverMs = 60_000;
const longestReason = 300;
const signInMissing = 530;

/** What became of handing a message to the mail server. */
export type Handover =
  /** For some recipients it was refused for good, for others for now. */
  | { outcome: "taken"; refusedRecipients: string[]; deferredRecipients: string[] }
  /** `isFinal`: the server will never take this message. `isServerAway`: it takes none now. */
  | { outcome: "failed"; reason: string; isFinal: boolean; isServerAway: boolean };

export interface MailTransport {
  send(message: ClaimedNotification): Promise<Handover>;
}

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  recipient?: string;
}

// A list, a group or a name would be read as more than one recipient.
const isPlainAddress = (text: string): boolean => /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(text);

/** Hands messages to the mail server at `smtpUrl`; without one every message fails with a reason that says so. */
export function createMailTransport(
  smtpUrl: string | undefined,
  from: string,
  { silenceMs = longestSilenceMs, handoverMs = longestHandoverMs }: { silenceMs?: number; handoverMs?: number } = {},
): MailTransport {
  if (smtpUrl === undefined) {
    return {
      send: () =>
        Promise.resolve({
          outcome: "failed",
          reason: "SMTP: no mail server is configured (SMTP_URL)",
          isFinal: false,
          isServerAway: false,
        }),
    };
  }
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: connectMs,
    greetingTimeout: Math.min(connectMs, silenceMs),
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
        return { outcome: "failed", reason: "SMTP: no recipient has a proper address", isFinal: true, isServerAway: false };
      try {
        const { rejected, rejectedErrors = [] } = await transport.sendMail({
          from,
          to: to.filter(isPlainAddress),
          cc: cc.filter(isPlainAddress),
          bcc: bcc.filter(isPlainAddress),
          subject,
          text: body,
          messageId,
          date: new Date(createdAt * 1000),
          headers: { "Auto-Submitted": "auto-generated" },
          signal: AbortSignal.timeout(handoverMs),
        });
        const deferred = new Set(
          (rejectedErrors as SmtpError[]).flatMap(({ recipient, responseCode = 500 }) =>
            recipient !== undefined && responseCode < 500 ? [recipient] : [],
          ),
        );
        return {
          outcome: "taken",
          refusedRecipients: [...improper, ...rejected.filter((address) => !deferred.has(address))],
          deferredRecipients: [...deferred],
        };
      } catch (error) {
        const { message, code = "", responseCode = 0 } = error as SmtpError;
        // Only what is said of the message or its recipients; that a sign-in is missing (530) or the service is closed may be fixed.
        const isAboutMessage = (code === "EENVELOPE" || code === "EMESSAGE") && responseCode !== signInMissing;
        return {
          outcome: "failed",
          reason: cleanText(`SMTP: ${message}`, longestReason),
          isFinal: isAboutMessage && responseCode >= 500,
          isServerAway: !isAboutMessage,
        };
      }
    },
  };
}
