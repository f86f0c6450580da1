import { Query, type Connection, type PoolClient, type QueryResult } from "pg";

/** What pg's connection has and its types leave out. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(bytes: Buffer): void;
  endCopyFrom(): void;
}

/**
 * COPY of bytes that are there already. They follow the statement without waiting for the database's word, so that it may stand among the statements of
 * `inPipelinedTransaction`; pg-copy-streams waits, which such a connection does not allow. The database drops bytes of a COPY that it refuses.
 */
class CopyAtOnce extends Query {
  constructor(
    statement: { name: string; text: string },
    bytes: Buffer,
    done: (error: Error | undefined | null, result: QueryResult) => void,
  ) {
    const text = `/* ${statement.name} */ ${statement.text}`;
    super(text, done as never);
    this.submit = (connection) => {
      connection.query(text);
      (connection as CopyConnection).sendCopyFromChunk(bytes);
      (connection as CopyConnection).endCopyFrom();
    };
  }

  /** The database is ready for the bytes, which are on their way. */
  handleCopyInResponse(): void {}
}

/** Returns how many rows were added. @param statement `copy … from stdin (format binary)` */
export function copyAtOnce(client: PoolClient, statement: { name: string; text: string }, bytes: Buffer): Promise<number> {
  return new Promise((done, fail) => {
    client.query(new CopyAtOnce(statement, bytes, (error, result) => (error ? fail(error) : done(result.rowCount ?? 0))));
  });
}
