import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type pg from 'pg';

import type { Database } from './open.ts';

/** Placeholder for a value of each run. */
class Slot {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Names of the prepared statements, by their text. */
const names = new Map<string, string>();

/**
 * Prepares a statement of the hot path: it is compiled once, and parsed and planned once per
 * connection.
 *
 * @param name name on the connections, unique in the service
 * @param build builds the statement, with `value('…')` for each value
 */
export function prepareStatement<Values extends object, Row>(
  name: string,
  build: (
    value: <Key extends keyof Values>(key: Key) => RawBuilder<Values[Key]>,
    db: Database,
  ) => { compile: (db: Database) => CompiledQuery<Row> },
): (db: Database, values: Values) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    if (!compiled) {
      compiled = build((key) => sql.val(new Slot(key)) as never, db).compile(db);
      names.set(compiled.sql, name);
    }
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Slot ? values[parameter.name as keyof Values] : parameter,
    );
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}

/** Makes a connection run prepared statements by name. */
export function namePrepared(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...input: unknown[]) => unknown;
  client.query = ((...input: unknown[]) => {
    const [text, values] = input;
    const name = typeof text === 'string' ? names.get(text) : undefined;
    return name === undefined ? query(...input) : query({ name, text, values });
  }) as typeof client.query;
}
