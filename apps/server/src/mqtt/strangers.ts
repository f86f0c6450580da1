import type { Socket } from "node:net";
import { networkOf } from "#lib/network-of.ts";

interface Stranger {
  socket: Socket;
  network: string;
  /** Its CONNECT is being answered. */
  hasAsked: boolean;
}

/** Connections that have not shown yet who they are: a share of the capacity of their own, so that they never take a node's place. */
export interface Strangers {
  /** False when it has to go: whoever crowds the place gives way, first those who say nothing. */
  enter(socket: Socket, address: string): boolean;
  noteAsked(socket: Socket): void;
  /** It is known now, or gone. */
  leave(socket: Socket): void;
  readonly size: number;
}

export function createStrangers(most: number, turnAway: (socket: Socket, address: string) => void): Strangers {
  const known = new Map<Socket, Stranger>();
  const networks = new Map<string, Set<Stranger>>();

  const leave = (socket: Socket) => {
    const stranger = known.get(socket);
    if (!stranger) return;
    known.delete(socket);
    const others = networks.get(stranger.network);
    others?.delete(stranger);
    if (others?.size === 0) networks.delete(stranger.network);
  };

  /** Oldest first; those of a network that is as crowded as any other. */
  const whoGoes = (newcomer: string): Stranger | undefined => {
    let crowd = networks.get(newcomer) ?? new Set<Stranger>();
    for (const others of networks.values()) if (others.size > crowd.size) crowd = others;
    for (const stranger of crowd) if (!stranger.hasAsked) return stranger;
    // All of them wait for us: who comes last from the most crowded network waits outside.
    const [oldest] = crowd;
    return oldest?.network === newcomer ? undefined : oldest;
  };

  return {
    enter(socket, address) {
      leave(socket);
      const network = networkOf(address);
      if (known.size >= most) {
        const gone = whoGoes(network);
        turnAway(gone?.socket ?? socket, gone?.network ?? network);
        if (!gone) return false;
        leave(gone.socket);
      }
      const stranger = { socket, network, hasAsked: false };
      known.set(socket, stranger);
      const others = networks.get(network);
      if (others) others.add(stranger);
      else networks.set(network, new Set([stranger]));
      return true;
    },
    noteAsked(socket) {
      const stranger = known.get(socket);
      if (stranger) stranger.hasAsked = true;
    },
    leave,
    get size() {
      return known.size;
    },
  };
}
