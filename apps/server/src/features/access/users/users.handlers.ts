import type { Handlers } from "#http/endpoints.ts";
import { chooseEncoding } from "#http/compression.ts";
import { analyticsUrl } from "./analytics-url.ts";
import type { UserGuard } from "./user-guard.ts";
import type { UserList } from "./user-list.ts";
import type { Users } from "./users.service.ts";
import { presentUser } from "./users.view.ts";
import type { Welcome } from "./welcome.service.ts";

export interface UsersHandlerDependencies {
  users: Users;
  list: UserList;
  welcome: Welcome;
  guard: UserGuard;
  analyticsBase: string | undefined;
}

export function usersHandlers({ users, list, welcome, guard, analyticsBase }: UsersHandlerDependencies) {
  return {
    getUsers: (_input, { headers }) => list(chooseEncoding(headers["accept-encoding"]), headers["if-none-match"] as string | undefined),
    async createUser({ body }, { caller }) {
      return presentUser(await users.create(caller, body));
    },
    async updateUser({ params, body }, { caller }) {
      return presentUser(await users.update(caller, params.id, body));
    },
    async deleteUser({ params }, { caller }) {
      await users.remove(caller, params.id, params.code);
      return { deleted: true };
    },
    getUserSessions({ params }) {
      return users.signIns(params.id);
    },
    async setUserPassword({ params, body }, { caller }) {
      await users.setPassword(caller, params.id, body.newPassword);
      return { changed: true };
    },
    async sendWelcomeEmail({ params }, { caller }) {
      return { sent: true, timestamp: await welcome.send(caller, params.id) };
    },
    async getUserAnalyticsUrl({ params }) {
      return analyticsUrl(analyticsBase, await guard.find(params.id));
    },
  } satisfies Partial<Handlers>;
}
