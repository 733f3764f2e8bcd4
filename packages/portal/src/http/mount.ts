import type { Request, Response, Router } from 'express';

import { jsonReader } from './body.ts';
import { sendJson } from './json-parts.ts';
import { allowOnly } from './methods.ts';
import { sendStream } from './stream.ts';

/** A row of an audience's table. */
export interface Row {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Parameters are in braces: `/api/user/{userEmail}`. */
  path: string;
  /** Schema of the body. The body of other rows is not read. */
  body?: unknown;
  /** Maximum bytes of the body. Default: `bodyLimit` of the audience. */
  bodyLimit?: number;
  /** Whether the answer is an `AnsweredFile`. */
  isFile?: boolean;
  /** Whether `run` sends the answer. */
  hasProgress?: boolean;
}

/** A file: complete, or in parts that are computed while it is sent. */
export interface AnsweredFile {
  /** Default: the browser names the file. */
  name?: string;
  /** Media type. */
  type: string;
  content: Buffer | AsyncIterable<string>;
}

export interface RouteRequest<Name extends string, OfTable extends Row> {
  name: Name;
  row: OfTable;
  req: Request;
  res: Response;
}

/** The handler of a row: its audience knows the types. */
export type Handler = (call: unknown, input: unknown) => Promise<unknown>;

type Input = Record<string, unknown>;

/** What happens to a request after its caller is authorized, in this order. */
export interface Admission {
  /** Authorizes the caller again, if the body arrived late. */
  confirm?: (() => Promise<unknown>) | undefined;
  /** Called before a body that cannot be read is refused. */
  onUnreadable?: (() => Promise<unknown>) | undefined;
  parse: () => Promise<Input>;
  /** Limits what one caller computes at the same time. A file counts until it is sent. */
  limit?: (<Result>(work: () => Promise<Result>) => Promise<Result>) | undefined;
  run: (handle: Handler, input: Input) => Promise<unknown>;
  /** Sends an answer that is not a file. Default: `sendJson`. */
  send?: (res: Response, answer: object) => unknown;
}

const noLimit = <Result>(work: () => Promise<Result>): Promise<Result> => work();

/**
 * Mounts every row of a table. Other methods of its paths are answered 405.
 *
 * @param admit authorizes a request before its body is read
 */
export function mount<Name extends string, OfTable extends Row>(
  router: Router,
  table: Readonly<Record<Name, OfTable>>,
  handlers: Readonly<Record<Name, (call: never, input: never) => Promise<unknown>>>,
  admit: (request: RouteRequest<Name, OfTable>) => Promise<Admission>,
  { prefix = '', bodyLimit }: { prefix?: string; bodyLimit: number },
): void {
  const rows = Object.entries(table) as [Name, OfTable][];
  const paths = [...new Set(rows.map(([, { path }]) => path))];
  // Paths without parameters come first, so that they are not matched as a parameter.
  paths.sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')));

  for (const path of paths) {
    const route = router.route(`${prefix}${toExpressPath(path)}`);
    const rowsHere = rows.filter(([, row]) => row.path === path);
    for (const [name, row] of rowsHere) {
      const method = row.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
      const readBody = row.body === undefined ? undefined : jsonReader(row.bodyLimit ?? bodyLimit);
      route[method](async (req, res) => {
        const admission = await admit({ name, row, req, res });
        const { confirm, onUnreadable, parse, limit = noLimit, run, send = sendJson } = admission;
        await readBody?.(req, confirm).catch(async (error: unknown) => {
          await onUnreadable?.();
          throw error;
        });
        const input = await parse();
        const answer = await limit(async () => {
          const result = await run(handlers[name] as Handler, input);
          if (row.isFile) await sendFile(res, result as AnsweredFile);
          return result;
        });
        if (!row.isFile && !row.hasProgress)
          await send(res.set('Cache-Control', 'no-store'), answer as object);
      });
    }
    route.all(allowOnly(...rowsHere.map(([, row]) => row.method)));
  }
}

/** Converts `{userEmail}` to Express's syntax. */
const toExpressPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1');

async function sendFile(res: Response, { name, type, content }: AnsweredFile): Promise<void> {
  res.set('Cache-Control', 'no-store');
  if (name === undefined) res.attachment();
  else res.attachment(name);
  res.type(type);
  if (Buffer.isBuffer(content)) res.send(content);
  else await sendStream(res, content);
}
