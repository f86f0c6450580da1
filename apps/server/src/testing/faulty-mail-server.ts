import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

export const smtpStages = ["greeting", "EHLO", "MAIL", "RCPT", "DATA", "body"] as const;
export type SmtpStage = (typeof smtpStages)[number];
/** What the server does when it is the stage's turn to be answered. */
export type SmtpFault = "hang" | "close" | "reset" | "busy" | "refuse" | "babble" | "drip";

export interface FaultyMailServer {
  url: string;
  /** Undefined: it behaves. */
  fault: { stage: SmtpStage; does: SmtpFault } | undefined;
  /** Message-IDs of what it has received to the last dot, whatever it said then. */
  received: string[];
  /** Called with each before it is answered. */
  onReceived: (messageId: string) => void;
  connections: () => number;
  stop(): Promise<void>;
}

const answers: Record<SmtpStage, string> = {
  greeting: "220 ready",
  EHLO: "250 hello",
  MAIL: "250 ok",
  RCPT: "250 ok",
  DATA: "354 go on",
  body: "250 taken",
};
const dripEveryMs = 20;

/** A mail server that fails in one way at one point of the conversation. It knows just enough SMTP for that. */
export async function startFaultyMailServer(): Promise<FaultyMailServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let text = "";
    let isBody = false;
    let drip: ReturnType<typeof setInterval> | undefined;
    socket.on("close", () => {
      clearInterval(drip);
      sockets.delete(socket);
    });
    socket.on("error", () => undefined);

    function answer(stage: SmtpStage): void {
      const does = smtp.fault?.stage === stage ? smtp.fault.does : undefined;
      if (does === undefined) {
        isBody = stage === "DATA";
        socket.write(`${answers[stage]}\r\n`);
      } else if (does === "close") socket.end();
      else if (does === "reset") socket.resetAndDestroy();
      else if (does === "busy") socket.write("451 later, please\r\n");
      else if (does === "refuse") socket.write("554 never\r\n");
      else if (does === "babble") socket.write("\u0000\u001b]0;x\u0007 no SMTP at all\r\n".repeat(1_000));
      else if (does === "drip") drip = setInterval(() => socket.write("250-and then\r\n"), dripEveryMs);
    }

    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      for (;;) {
        const end = isBody ? text.indexOf("\r\n.\r\n") : text.indexOf("\r\n");
        if (end < 0) return;
        const taken = text.slice(0, end);
        text = text.slice(end + (isBody ? 5 : 2));
        if (isBody) {
          isBody = false;
          const messageId = /^Message-ID: (\S+)/im.exec(taken)?.[1] ?? "";
          smtp.received.push(messageId);
          smtp.onReceived(messageId);
          answer("body");
        } else if (/^(EHLO|HELO)/i.test(taken)) answer("EHLO");
        else if (/^QUIT/i.test(taken)) socket.end("221 bye\r\n");
        else answer(taken.slice(0, 4).toUpperCase() as SmtpStage);
      }
    });
    answer("greeting");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const smtp: FaultyMailServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: undefined,
    received: [],
    onReceived: () => undefined,
    connections: () => sockets.size,
    async stop() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return smtp;
}
