import pg from 'pg';
import { findPostgres, startPostgres, type PostgresCluster } from 'test-support';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { ReportError } from '#platform';

import { SourceError, type Connection, type ConnectionSource } from '../connection.ts';
import { createConnection } from '../open.ts';
import { createPostgresConnection } from './postgres-connection.ts';

const live = new AbortController().signal;

describe.skipIf(!findPostgres())('a connection to PostgreSQL', () => {
  let server: PostgresCluster;
  let admin: pg.Client;
  let connection: Connection;
  beforeAll(async () => {
    server = await startPostgres();
    admin = new pg.Client({ connectionString: server.url('postgres') });
    await admin.connect();
    await admin.query(`
      CREATE TABLE orders ("Region" text, "Sales" numeric(10, 2));
      INSERT INTO orders VALUES ('West', 10), ('East', 20);
      CREATE SCHEMA sales;
      CREATE TABLE sales."Big Orders" (id bigint, region varchar(10));
      CREATE TABLE written (n int);
      CREATE FUNCTION write() RETURNS int LANGUAGE sql AS 'INSERT INTO written VALUES (1) RETURNING n';
      CREATE TABLE large AS SELECT i AS id, i % 7 AS region FROM generate_series(1, 200000) AS i;
      CREATE INDEX ON large (id, region);
      ANALYZE large;
      CREATE ROLE reader LOGIN;
      GRANT SELECT ON orders TO reader;
    `);
    connection = createPostgresConnection({
      name: 'warehouse',
      url: server.url('postgres'),
      connections: 2,
      statementLimitMs: 3_000,
    });
  });
  afterAll(async () => {
    await connection.close();
    await admin.end();
    await server.stop();
  });

  const describeSource = async (source: ConnectionSource) => [
    ...(await connection.describe(source, live)),
  ];
  const run = (text: string, values: (string | string[])[] = [], signal = live) =>
    connection.query({ text, values }, signal);
  const countBackends = async () => {
    const { rows } = await admin.query<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity
      WHERE application_name = 'portal-embed' AND state = 'active'`,
    );
    return Number(rows[0]?.count);
  };

  describe('the columns of a source', () => {
    it.each<[string, ConnectionSource, [string, string][]]>([
      [
        'a table',
        { table: 'orders' },
        [
          ['Region', 'text'],
          ['Sales', 'numeric(10,2)'],
        ],
      ],
      [
        'a table of a schema with any name',
        { table: 'sales.Big Orders' },
        [
          ['id', 'bigint'],
          ['region', 'character varying(10)'],
        ],
      ],
      [
        'a SELECT',
        { sql: 'SELECT "Region", now() AS at, 1::float4 AS x FROM orders -- all' },
        [
          ['Region', 'text'],
          ['at', 'timestamp with time zone'],
          ['x', 'real'],
        ],
      ],
      [
        'a SELECT with a common table',
        { sql: 'WITH a AS (SELECT 1 AS n) TABLE a' },
        [['n', 'integer']],
      ],
    ])('%s is described by its columns and their types', async (_title, source, columns) => {
      expect(await describeSource(source)).toEqual(columns);
    });

    it.each<[string, ConnectionSource, RegExp]>([
      ['a table that does not exist', { table: 'ordres' }, /relation "ordres" does not exist/],
      ['another letter case', { table: 'Orders' }, /relation "Orders" does not exist/],
      ['a quote in a table', { table: 'orders" AS s; DROP TABLE orders; --' }, /does not exist/],
      [
        'a mistake in a SELECT',
        { sql: 'SELECT *\nFROM ordres' },
        /does not exist, in line 2 of the SELECT/,
      ],
      ['two statements', { sql: 'SELECT 1; DROP TABLE orders' }, /multiple commands/],
      ['a COMMIT', { sql: 'COMMIT' }, /syntax error/],
      ['a change', { sql: 'DELETE FROM orders RETURNING *' }, /sql must be one SELECT/],
      [
        'a change in a WITH',
        { sql: 'WITH a AS (DELETE FROM orders RETURNING *) SELECT * FROM a' },
        /sql must be one SELECT/,
      ],
      ['a new table', { sql: 'SELECT 1 AS n INTO copy' }, /SELECT|INTO/],
      [
        'a derived table that ends early',
        { sql: 'SELECT 1 AS a) AS x, (SELECT 2 AS b' },
        /syntax error/,
      ],
      ['an open comment', { sql: 'SELECT 1 AS a /*' }, /unterminated/],
      ['an open text', { sql: "SELECT 'a" }, /unterminated/],
      [
        'a constant of another type',
        { sql: "SELECT * FROM orders WHERE 'a' = 1" },
        /for type integer/,
      ],
      ['a division by zero', { sql: 'SELECT 1 / 0 AS a' }, /division by zero/],
      ['a constant that is too large', { sql: 'SELECT 1e10::int AS a' }, /out of range/],
      [
        'a lock of rows',
        { sql: 'SELECT * FROM orders FOR UPDATE' },
        /^cannot execute .* in a read-only/,
      ],
      ['a parameter', { sql: 'SELECT * FROM orders WHERE "Region" = $1' }, /parameter/],
      ['an empty text', { sql: '-- nothing' }, /syntax error/],
      [
        'a column that occurs twice',
        { sql: 'SELECT 1 AS a, 2 AS a' },
        /two columns have the name "a"/,
      ],
    ])('%s is refused', async (_title, source, message) => {
      const described = connection.describe(source, live);
      await expect(described).rejects.toThrow(message);
      await expect(described).rejects.toBeInstanceOf(SourceError);
    });
  });

  it('the labels of an enum are in its own order', async () => {
    await admin.query("CREATE TYPE priority AS ENUM ('low', 'mid', 'high')");
    await admin.query("ALTER TYPE priority ADD VALUE 'middling' BEFORE 'high'");
    const columns = await connection.describe(
      { sql: "SELECT 'mid'::priority AS p, 'a'::text AS t" },
      live,
    );
    const order = ['low', 'mid', 'middling', 'high'];
    expect([...columns]).toEqual([
      ['p', `enum ${JSON.stringify(order).replaceAll(',', ', ')}`],
      ['t', 'text'],
    ]);
    expect(connection.dialect.orderOf!(columns.get('p')!)).toEqual(order);
    expect(connection.dialect.fieldTypeOf(columns.get('p')!)).toBe('text');
  });

  describe('a statement', () => {
    it('the values of a result are exact', async () => {
      const rows = await run(
        `SELECT 9223372036854775807::bigint AS i, 12.50::numeric AS d, 0.1::float8 AS x,
          true AS b, '2024-02-29'::date AS day, '2024-02-29 10:00:00.5'::timestamp AS t, NULL AS n`,
      );
      const day = '2024-02-29';
      const exact = { i: '9223372036854775807', d: '12.50', x: 0.1, b: true, day };
      expect(rows).toEqual([{ ...exact, t: `${day} 10:00:00.5`, n: null }]);
    });

    it('the values of a result do not depend on the settings of the database user', async () => {
      await admin.query(`
        CREATE ROLE abroad LOGIN;
        ALTER ROLE abroad SET TimeZone = 'Asia/Tokyo';
        ALTER ROLE abroad SET DateStyle = 'German';
        ALTER ROLE abroad SET extra_float_digits = 0`);
      const url = server.url('postgres').replace('portal@', 'abroad@');
      const abroad = createPostgresConnection({ name: 'abroad', url, connections: 1 });
      onTestFinished(() => abroad.close());
      const text = `SELECT '2024-02-29'::date AS day, 0.1::float8 + 0.2 AS x,
        '2024-02-29 10:00:00Z'::timestamptz AS t`;
      expect(await abroad.query({ text, values: [] }, live)).toEqual([
        { day: '2024-02-29', x: 0.1 + 0.2, t: '2024-02-29 10:00:00+00' },
      ]);
      expect(await abroad.check(live)).toContainEqual({
        level: 'ok',
        text: 'server time zone: Asia/Tokyo; reports use the time zone of their dataset',
      });
    });

    it('a connection from the environment opens as many database connections as it may run statements at once', async () => {
      const settings = { name: 'other', engine: 'postgres', url: server.url('postgres') } as const;
      const other = createConnection(settings, { sourceQueries: 3, memoryMb: 256 });
      onTestFinished(() => other.close());
      const text = 'SELECT pg_backend_pid() AS pid, pg_sleep(0.05)';
      const all = Array.from({ length: 9 }, () => other.query({ text, values: [] }, live));
      const backends = (await Promise.all(all)).map(([row]) => row!['pid']);
      expect(new Set(backends).size).toBe(3);
    });

    it('a value is never a part of the statement', async () => {
      const hostile = ["'; DROP TABLE orders; --", '{"a","b"}', '\\', '$1', 'NULL'];
      const rows = await run('SELECT $1::text AS one, unnest($2::text[]) AS each', ['x', hostile]);
      expect(rows.map((row) => row['each'])).toEqual(hostile);
    });

    it('two statements are refused', async () => {
      await expect(run('SELECT 1; SELECT 2')).rejects.toThrow('multiple commands');
    });

    it.each(['DELETE FROM orders', 'SELECT write()', 'CREATE TABLE x (n int)'])(
      '%s is refused by the transaction',
      async (text) => {
        await expect(run(text)).rejects.toThrow('read-only transaction');
        const { rows } = await admin.query('SELECT FROM written');
        expect(rows).toHaveLength(0);
      },
    );

    it('a SELECT cannot leave the read-only transaction', async () => {
      await expect(
        run(`SELECT set_config('transaction_read_only', 'off', true), write()`),
      ).rejects.toThrow(/read-only|read-write/);
    });

    it('a setting that a SELECT changes does not last', async () => {
      await run(`SELECT set_config('search_path', 'sales', false)`);
      for (let round = 0; round < 4; round += 1)
        expect(await run('SELECT "Region" FROM orders')).toHaveLength(2);
    });

    it('a lock that a SELECT takes does not last', async () => {
      await run('SELECT pg_advisory_lock(1)');
      const { rows } = await admin.query('SELECT pg_try_advisory_lock(1) AS free');
      expect(rows).toEqual([{ free: true }]);
    });

    it('a SELECT that was described leaves no prepared statement', async () => {
      await describeSource({ sql: 'SELECT 1 AS n' });
      const text = `SELECT name, pg_sleep(0.05) FROM pg_prepared_statements WHERE name LIKE 'portal%'`;
      // At the same time, so that both connections answer.
      expect(await Promise.all([run(text), run(text)])).toEqual([[], []]);
    });

    it('that fails leaves its connection open', async () => {
      const readBackend = () => run('SELECT pg_backend_pid() AS pid');
      const backend = await readBackend();
      await expect(run('SELECT 1 / 0')).rejects.toThrow('division by zero');
      expect(await readBackend()).toEqual(backend);
    });

    it('an answer that is too large ends, and other statements go on', async () => {
      const sleeping = run('SELECT pg_sleep(0.5)');
      await expect.poll(countBackends).toBe(1);
      await expect(run(`SELECT repeat('a', 30000000)`)).rejects.toMatchObject({
        reason: 'out_of_memory',
        message: 'The connection "warehouse" failed: the answer has more than 16 MB.',
      });
      expect(await sleeping).toHaveLength(1);
      expect(await run('SELECT 1 AS n')).toEqual([{ n: '1' }]);
    });

    it('a long message of the server is shortened', async () => {
      const error: Error = await run(`SELECT repeat('a', 1000000)::int`).catch((each) => each);
      expect(error.message).toContain('invalid input syntax for type integer');
      expect(error.message.length).toBeLessThan(1_100);
    });

    it('an error names the connection and the code', async () => {
      const failed = run('SELECT 1 / 0');
      await expect(failed).rejects.toThrow(
        'The connection "warehouse" failed: division by zero (22012).',
      );
      await expect(failed).rejects.toMatchObject({ reason: 'failed' });
      expect(await run('SELECT 1 AS n')).toEqual([{ n: '1' }]);
    });

    it('a number that is too large fails with the reason overflow', async () => {
      await expect(run('SELECT 1e300::float8 * 1e300')).rejects.toMatchObject({
        reason: 'overflow',
      });
    });

    it('an aborted statement is canceled on the server', async () => {
      // With the short limit of the other tests, the server would end the statement by itself.
      const patient = createPostgresConnection({
        name: 'patient',
        url: server.url('postgres'),
        connections: 1,
        statementLimitMs: 60_000,
      });
      onTestFinished(() => patient.close());
      const gone = new AbortController();
      const running = patient.query({ text: 'SELECT pg_sleep(60)', values: [] }, gone.signal);
      await expect.poll(countBackends).toBe(1);
      gone.abort(new Error('gone'));
      await expect(running).rejects.toThrow('gone');
      await expect.poll(countBackends, { timeout: 5_000 }).toBe(0);
      expect(await patient.query({ text: 'SELECT 1 AS n', values: [] }, live)).toEqual([
        { n: '1' },
      ]);
    });

    it('beyond its time limit ends on the server', async () => {
      const running = run('SELECT pg_sleep(60)');
      await expect(running).rejects.toMatchObject({ reason: 'timeout' });
      expect(await countBackends()).toBe(0);
    });

    it('connections that the server closed are replaced', async () => {
      await Promise.all([run('SELECT pg_sleep(0.1)'), run('SELECT pg_sleep(0.1)')]);
      await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'portal-embed'`);
      const all = [1, 2, 3].map(() => run('SELECT 1 AS n'));
      expect((await Promise.all(all)).flat()).toEqual([{ n: '1' }, { n: '1' }, { n: '1' }]);
    });
  });

  describe('an unavailable connection', () => {
    const open = (url: string) => {
      const other = createPostgresConnection({ name: 'other', url, connections: 1 });
      onTestFinished(() => other.close());
      return other;
    };

    it.each<[string, (url: string) => string, RegExp]>([
      ['a server that refuses', () => 'postgres://u:secret@127.0.0.1:1/x', /ECONNREFUSED/],
      [
        'a database that does not exist',
        (url) => url.replace('postgres?', 'gone'),
        /does not exist/,
      ],
      [
        'a user who may not connect',
        (url) => url.replace('portal@', 'nobody:secret@'),
        /role "nobody"/,
      ],
      ['TLS that the server lacks', (url) => `${url}?sslmode=verify-full`, /does not support SSL/],
      ['a file that is missing', (url) => `${url}?sslrootcert=/missing.pem`, /missing\.pem/],
    ])('%s makes the connection unavailable', async (title, change, cause) => {
      const url = title.includes('database') ? server.url('gone') : change(server.url('postgres'));
      const failed = open(url).query({ text: 'SELECT 1', values: [] }, live);
      const error = await failed.catch((each: unknown) => each);
      expect(error).toBeInstanceOf(ReportError);
      expect(error).toMatchObject({ reason: 'unavailable' });
      const { message } = error as Error;
      expect(message).toMatch(/^The connection "other" failed: /);
      expect(message).toMatch(cause);
      expect(JSON.stringify(error) + message + (error as Error).stack).not.toContain('secret');
    });
  });

  describe('a check', () => {
    const findLevels = async (url: string) => {
      const other = createPostgresConnection({ name: 'other', url, connections: 1 });
      onTestFinished(() => other.close());
      return other.check(live);
    };

    it('reports the server and the rights of its user', async () => {
      expect(await findLevels(server.url('postgres'))).toEqual([
        { level: 'ok', text: expect.stringMatching(/^reachable: PostgreSQL \d/) },
        { level: 'ok', text: 'not encrypted; the server is on this machine' },
        { level: 'warning', text: expect.stringContaining('superuser') },
        { level: 'ok', text: expect.stringContaining('server time zone') },
      ]);
      const reader = await findLevels(server.url('postgres').replace('portal@', 'reader@'));
      expect(reader).toContainEqual({ level: 'ok', text: 'the user cannot write' });
      await admin.query('CREATE ROLE writer LOGIN; GRANT INSERT ON orders TO writer');
      const writer = await findLevels(server.url('postgres').replace('portal@', 'writer@'));
      expect(writer).toContainEqual({
        level: 'warning',
        text: expect.stringContaining('can write to public.orders'),
      });
    });

    it.each([
      ['a right to delete', 'GRANT DELETE ON sales."Big Orders" TO', 'sales."Big Orders"'],
      [
        'a right to a foreign table',
        `CREATE FOREIGN DATA WRAPPER dummy; CREATE SERVER away FOREIGN DATA WRAPPER dummy;
        CREATE FOREIGN TABLE remote (n int) SERVER away; GRANT UPDATE ON remote TO`,
        'public.remote',
      ],
    ])('warns of %s', async (title, grant, table) => {
      const role = title.replaceAll(' ', '_');
      await admin.query(`CREATE ROLE ${role} LOGIN; ${grant} ${role}`);
      const found = await findLevels(server.url('postgres').replace('portal@', `${role}@`));
      expect(found).toContainEqual({
        level: 'warning',
        text: expect.stringContaining(`the user can write to ${table};`),
      });
    });

    it('reports a database in another encoding or without Unicode collations', async () => {
      await admin.query(`CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
      const client = new pg.Client({ connectionString: server.url('latin') });
      await client.connect();
      await client.query(`DELETE FROM pg_collation WHERE collname = 'und-x-icu'`);
      await client.end();
      expect(
        (await findLevels(server.url('latin'))).filter(({ level }) => level === 'error'),
      ).toEqual([
        { level: 'error', text: 'the database is encoded in LATIN1; it must be UTF8' },
        { level: 'error', text: expect.stringContaining('"und-x-icu" is missing') },
      ]);
    });

    it('reports the size of a table, and columns of conditions without an index', async () => {
      const check = (source: ConnectionSource, columns: string[]) =>
        connection.checkSource(source, columns, live);
      const size = { level: 'ok', text: 'about 200,000 rows' };
      expect(await check({ table: 'large' }, ['id'])).toEqual([
        size,
        { level: 'ok', text: 'each column of roles and filters is the first column of an index' },
      ]);
      expect(await check({ table: 'large' }, ['id', 'region'])).toEqual([
        size,
        { level: 'warning', text: 'no index begins with "region"; each report reads all rows' },
      ]);
      expect(await check({ sql: 'SELECT * FROM large' }, ['id'])).toEqual([size]);
      await admin.query(`
        CREATE INDEX broken ON large (region);
        UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'broken'::regclass;
        CREATE VIEW seen AS SELECT * FROM large;
        CREATE MATERIALIZED VIEW kept AS SELECT * FROM large; ANALYZE kept`);
      const warning = { level: 'warning', text: expect.stringMatching(/^no index .* "region";/) };
      expect(await check({ table: 'large' }, ['region'])).toEqual([size, warning]);
      expect(await check({ table: 'kept' }, ['region'])).toEqual([size, warning]);
      expect(await check({ table: 'seen' }, ['region'])).toEqual([size]);
    });
  });
});
