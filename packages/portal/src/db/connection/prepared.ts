import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type pg from 'pg';

import type { Database } from './open.ts';

/** Stands for a value that each run of a statement gives anew. */
class Slot {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Names by which connections know the statements, by their text. */
const names = new Map<string, string>();

/**
 * A statement of the hot path: built and compiled once, and parsed and planned once per connection
 * rather than at each run.
 *
 * @param name its name on the connections, unique in the service
 * @param build makes the statement, with `value('…')` in place of each value
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

/** Has a connection run prepared statements under their names. */
export function namePrepared(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...input: unknown[]) => unknown;
  client.query = ((...input: unknown[]) => {
    const [text, values] = input;
    const name = typeof text === 'string' ? names.get(text) : undefined;
    return name === undefined ? query(...input) : query({ name, text, values });
  }) as typeof client.query;
}
