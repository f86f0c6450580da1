import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface TestMailServer {
  url: string;
  port: number;
  /** What was taken, oldest first, with the envelope's recipients. */
  messages: { recipients: string[]; email: Email; raw: string }[];
  /** What it does with a message: takes it, refuses it for good, refuses it for now, or never answers. */
  behaviour: "take" | "refuse" | "busy" | "hang";
  /** Recipients that it does not know. */
  unknown: Set<string>;
  /** Recipients that it does not serve now. */
  busy: Set<string>;
  stop(): Promise<void>;
}

const answers = { refuse: [550, "No such mailbox here"], busy: [451, "Try again later"] } as const;

/** A real SMTP server on a free port. */
export async function startTestMailServer(port = 0): Promise<TestMailServer> {
  const sockets = new Set<Socket>();
  const keep = async (recipients: string[], raw: string, done: () => void) => {
    mail.messages.push({ recipients, email: await PostalMime.parse(raw), raw });
    done();
  };
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    logger: false,
    onRcptTo({ address }, _session, done) {
      if (mail.unknown.has(address)) return done(Object.assign(new Error("Unknown here"), { responseCode: 550 }));
      done(mail.busy.has(address) ? Object.assign(new Error("Come back later"), { responseCode: 450 }) : undefined);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (mail.behaviour === "hang") return;
        if (mail.behaviour !== "take") {
          const [responseCode, text] = answers[mail.behaviour];
          return done(Object.assign(new Error(text), { responseCode }));
        }
        const raw = Buffer.concat(chunks).toString("utf8");
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        void keep(recipients, raw, done);
      });
    },
  });
  smtp.on("error", () => undefined);
  smtp.server.on("connection", (socket: Socket) => sockets.add(socket));
  smtp.listen(port, "127.0.0.1");
  await once(smtp.server, "listening");
  const taken = (smtp.server.address() as AddressInfo).port;
  const mail: TestMailServer = {
    url: `smtp://127.0.0.1:${taken}`,
    port: taken,
    messages: [],
    behaviour: "take",
    unknown: new Set(),
    busy: new Set(),
    async stop() {
      const closed = new Promise<void>((done) => smtp.close(() => done()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return mail;
}
