/**
 * A small HTTP front over chdb, which is ClickHouse as a library. It shows what statements, bound
 * values, limits and KILL do. It has no users, no TLS, and buffers each result.
 *
 * Arguments: the folder of the package chdb, and a folder for the data. Prints its port.
 */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const [packageFolder = '', dataFolder = ''] = process.argv.slice(2);
const { Session } = createRequire(path.join(packageFolder, 'package.json'))('chdb');

/** Keeps the engine open between requests. */
const engine = new Session(dataFolder);

/** Parameters of the address that belong to HTTP. */
const ofHttp = new Set(['query_id', 'database', 'query', 'wait_end_of_query', 'default_format']);

const quote = (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function readParts(body, boundary) {
  const parts = body.split(`--${boundary}`).slice(1, -1);
  return Object.fromEntries(
    parts.map((part) => {
      const [head = '', ...rest] = part.split('\r\n\r\n');
      return [/name="(.*?)"/.exec(head)?.[1] ?? '', rest.join('\r\n\r\n').slice(0, -2)];
    }),
  );
}

async function readRequest(request) {
  const body = await text(request);
  const { searchParams } = new URL(request.url, 'http://front');
  const boundary = /boundary=(.*)$/.exec(request.headers['content-type'] ?? '')?.[1];
  const parts = boundary === undefined ? { query: body } : readParts(body, boundary);
  return { ...Object.fromEntries(searchParams), ...parts };
}

/** chdb has no ids of queries, so the id is a comment of the query. */
const findByComment = (id) => `query LIKE '/* ${id} */%'`;

async function run({ query, query_id: id = '', ...parameters }) {
  const session = new Session(dataFolder);
  try {
    // Last, because `readonly` forbids to set anything after it.
    const names = Object.keys(parameters)
      .filter((name) => !ofHttp.has(name))
      .toSorted((one, other) => Number(one === 'readonly') - Number(other === 'readonly'));
    for (const name of names) session.query(`SET ${name} = ${quote(parameters[name])}`);
    const killed = /^KILL QUERY WHERE query_id = '([\w-]+)' ASYNC/.exec(query)?.[1];
    if (killed !== undefined)
      return (await session.queryAsync(`KILL QUERY WHERE ${findByComment(killed)} ASYNC`)).text();
    const options = { format: 'TabSeparated' };
    return (await session.queryAsync(`/* ${id} */ ${query}`, options)).text();
  } finally {
    session.close();
  }
}

async function answer(request, response) {
  try {
    const result = await run(await readRequest(request));
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(result);
  } catch (error) {
    const [, code = '0'] = /Code: (\d+)/.exec(error.message) ?? [];
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': code });
    response.end(error.message);
  }
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
process.once('disconnect', () => {
  engine.close();
  process.exit();
});
