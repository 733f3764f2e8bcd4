import { lookup, type LookupOptions } from 'node:dns';
import http from 'node:http';

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | { address: string; family: number }[],
  family?: number,
) => void;

/** Resolves `*.localhost` to 127.0.0.1, as browsers and curl do and Node does not. */
function lookupLocalhost(hostname: string, options: LookupOptions, callback: LookupCallback): void {
  if (!hostname.endsWith('.localhost')) lookup(hostname, options, callback as never);
  else if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(null, '127.0.0.1', 4);
}

/** The agent of all tests that connect to a `*.localhost` address. */
export const localhostAgent = new http.Agent({
  keepAlive: true,
  lookup: lookupLocalhost,
});

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  bytes: Buffer;
  body: string;
  /** Parses the body as JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on any field
  json: () => any;
}

/**
 * Sends one HTTP request exactly as given: unlike `fetch` it adds no headers and follows no
 * redirects. `json` is sent as a JSON body.
 */
export function send(
  url: string,
  options: {
    method?: string;
    /** Path and query to send unchanged, instead of those of the URL. */
    path?: string;
    headers?: http.OutgoingHttpHeaders;
    json?: unknown;
    body?: string | Buffer;
    agent?: http.Agent;
  } = {},
): Promise<Answer> {
  const body = options.json === undefined ? options.body : JSON.stringify(options.json);
  const headers: http.OutgoingHttpHeaders = { ...options.headers };
  if (options.json !== undefined) headers['content-type'] ??= 'application/json';
  if (body !== undefined) headers['content-length'] = Buffer.byteLength(body);
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        ...(options.path === undefined ? {} : { path: options.path }),
        method: options.method ?? 'GET',
        headers,
        agent: options.agent ?? localhostAgent,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            body: text,
            json: () => JSON.parse(text),
          });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
