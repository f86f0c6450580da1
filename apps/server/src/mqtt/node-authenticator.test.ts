import { expect, test, vi } from "vitest";
import type { NodeCredentials } from "#features/directory/node-credentials/node-credentials.service.ts";
import { createNodeAuthenticator } from "./node-authenticator.ts";

const secretHash = "its hash";
const death = { topic: "spBv1.0/n58/NDEATH/10234", payload: Buffer.alloc(0), qos: 1 as const, retain: false };
interface Attempt {
  clientId?: string;
  username?: string | undefined;
  password?: string;
  will?: Parameters<ReturnType<typeof createNodeAuthenticator>>[3];
  mayConnect?: boolean;
  hasRoom?: boolean;
  isAway?: boolean;
}
async function admit({
  clientId = "10234",
  username = clientId,
  password = "right",
  will,
  mayConnect = true,
  hasRoom = true,
  isAway,
}: Attempt) {
  const limitedLog = vi.fn<() => void>();
  const asked: string[] = [];
  const verify: NodeCredentials["verify"] = (serial, given) =>
    isAway ? Promise.reject(new Error("away")) : Promise.resolve(serial === "10234" && String(given) === "right" ? secretHash : undefined);
  const authenticate = createNodeAuthenticator({
    credentials: { verify } as NodeCredentials,
    mayConnect: (serial) => {
      asked.push(`rate ${serial}`);
      return mayConnect;
    },
    hasRoom: (serial) => {
      asked.push(`room ${serial}`);
      return hasRoom;
    },
    limitedLog,
  });
  return { admission: await authenticate(clientId, username, Buffer.from(password), will), asked, limitedLog };
}

test("a node connects as itself, with its secret, and with a will that announces its own death or none", async () => {
  for (const will of [undefined, death])
    expect(await admit({ will })).toMatchObject({ admission: { secretHash }, asked: ["rate 10234", "room 10234"] });
});

test.each<[Attempt, number, string, string[]]>([
  [{ username: "10235" }, 4, "identifier", []],
  [{ username: undefined, clientId: "10/234" }, 4, "identifier", []],
  [{ clientId: "" }, 4, "identifier", []],
  [{ password: "wrong" }, 4, "credentials", []],
  [{ clientId: "10235" }, 4, "credentials", []],
  [{ will: { ...death, topic: "spBv1.0/n58/NDATA/10234" } }, 5, "will topic", []],
  [{ will: { ...death, topic: "spBv1.0/n59/NDEATH/10235" } }, 5, "will other-node", []],
  [{ will: { ...death, retain: true } }, 5, "will retained", []],
  [{ will: { ...death, qos: 2 } }, 5, "will qos-2", []],
  [{ mayConnect: false }, 3, "connect-rate", ["rate 10234"]],
  [{ hasRoom: false }, 3, "no-room", ["rate 10234", "room 10234"]],
])("%j is refused with %d %s", async (attempt, returnCode, reason, asked) => {
  expect(await admit(attempt)).toMatchObject({ admission: { returnCode, reason }, asked });
});

test("while its secret cannot be checked it may come again later, and the log says so", async () => {
  const { admission, limitedLog } = await admit({ isAway: true });
  expect(admission).toEqual({ returnCode: 3, reason: "credentials-unavailable" });
  expect(limitedLog).toHaveBeenCalledWith(
    "warn",
    "credentials-unavailable",
    { err: new Error("away"), node: "10234" },
    "its credentials could not be checked",
  );
});
