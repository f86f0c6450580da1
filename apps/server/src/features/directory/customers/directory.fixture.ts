import { createTestApp, type TestApp } from "#testing/test-app.ts";

type Answer = Awaited<ReturnType<TestApp["call"]>>;

/** The application with one signed-in person, and short ways to call it. */
export async function createDirectoryServer() {
  const server = await createTestApp();
  const username = await server.addAdministrator("keeper");
  const token = await server.login(username);
  const send = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, payload?: object): Promise<Answer> =>
    server.call({ method, url: `/api${path}`, token, ...(payload === undefined ? {} : { payload }) });
  const created = async (path: string, payload: object): Promise<number> => {
    const { status, json, text } = await send("POST", path, payload);
    if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${text}`);
    return (json["data"] as { id: number }).id;
  };
  let names = 0;
  /** Letters that no other name has. */
  const letters = () => String.fromCharCode(97 + Math.floor(names / 26), 97 + (names++ % 26));
  return {
    server,
    pool: server.database.pool,
    username,
    token,
    send,
    passcode: () => server.passcode(username),
    addCustomer: (fields: object = {}) => created("/customers", { code: `cust${letters()}`, name: "Willow Paper", ...fields }),
    addFacility: (customerId: number, fields: object = {}) =>
      created(`/customers/${customerId}/facilities`, { name: `Works ${letters()}`, siteName: "North", ...fields }),
    async addLocation(facilityId: number, serials: number[] = []): Promise<number> {
      const { rows } = await server.database.pool.query<{ id: number }>(
        "insert into location (facility_id, name, timezone) values ($1, $2, 'America/Chicago') returning id",
        [facilityId, `Pump ${letters()}`],
      );
      for (const [index, serial] of serials.entries()) {
        await server.database.pool.query(
          "insert into node (serial_number, current_deployment_status, new_deployment_status) values ($1, 'Deployed', 'Deployed')",
          [serial],
        );
        await server.database.pool.query("insert into node_assignment values ($1, $2, $3)", [serial, rows[0]!.id, index + 1]);
      }
      return rows[0]!.id;
    },
    async addUser(customerId: number): Promise<number> {
      const username = `user${letters()}`;
      const { rows } = await server.database.pool.query<{ id: number }>(
        "insert into app_user (username, email, customer_id) values ($1, $1 || '@works.example', $2) returning id",
        [username, customerId],
      );
      return rows[0]!.id;
    },
    async rows<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
      return (await server.database.pool.query<Row>(text, values)).rows;
    },
    /** Status and sentence of an answer. */
    said: ({ status, json }: Answer): [number, unknown] => [status, json["errorMessage"]],
    stop: () => server.stop(),
  };
}
export type DirectoryServer = Awaited<ReturnType<typeof createDirectoryServer>>;

export const statuses = (answers: Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
