import type { AxiosInstance } from 'axios';

export interface PortalClientOptions {
  /**
   * Where the portal's API is, for example `https://portal.example` or, behind a path prefix,
   * `https://intranet.example/portal`.
   */
  apiUrl: string | URL;
  /** An API key from the Settings menu of the portal's administration. */
  apiKey: string;
  /**
   * Allows plain http to other machines. Anybody on the network can then read the key. Default
   * false: `apiUrl` must be https, or http to a loopback address.
   */
  allowInsecure?: boolean | undefined;
  /** How long one attempt may take, in milliseconds. Default 5,000. */
  attemptTimeoutMs?: number | undefined;
  /** How long a call may take with all its attempts and pauses, in milliseconds. Default 12,000. */
  totalTimeoutMs?: number | undefined;
  /** How often a call is tried at most; 1 means no retries. Default 3. */
  maxAttempts?: number | undefined;
  /** How many connections are open to the portal at most. Default 128. */
  maxConnections?: number | undefined;
  /**
   * An axios instance of your own, for a proxy, a private certificate authority or interceptors.
   * Redirects stay off. Its interceptors see the API key: do not log headers in them.
   */
  axios?: AxiosInstance | undefined;
}

const optionNames = new Set<string>([
  'apiUrl',
  'apiKey',
  'allowInsecure',
  'attemptTimeoutMs',
  'totalTimeoutMs',
  'maxAttempts',
  'maxConnections',
  'axios',
] satisfies (keyof PortalClientOptions)[]);

export interface ClientSettings {
  /** Without a trailing slash. */
  apiUrl: string;
  apiKey: string;
  attemptTimeoutMs: number;
  totalTimeoutMs: number;
  maxAttempts: number;
  maxConnections: number;
  axios: AxiosInstance | undefined;
}

/** Checks the options and fills in the defaults. Throws a `TypeError` that says what to fix. */
export function readOptions(options: PortalClientOptions): ClientSettings {
  if (typeof options !== 'object' || options === null)
    fail('needs an object with apiUrl and apiKey');
  for (const name of Object.keys(options))
    if (!optionNames.has(name))
      fail(`has no option "${name}"; it knows ${[...optionNames].join(', ')}`);
  const { apiKey, allowInsecure = false, axios } = options;
  // What is not visible ASCII could not be sent in a header, or would be a second header.
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    fail(
      apiKey === undefined || apiKey === ''
        ? 'apiKey is missing. Set the environment variable that it is read from'
        : 'apiKey must be the key as the portal shows it, without spaces or line breaks',
    );
  if (typeof allowInsecure !== 'boolean') fail('allowInsecure must be true or false');
  if (axios !== undefined && typeof axios?.request !== 'function')
    fail('axios must be an axios instance, as axios.create() returns');
  return {
    apiUrl: readApiUrl(options.apiUrl, allowInsecure),
    apiKey,
    attemptTimeoutMs: readInteger('attemptTimeoutMs', options.attemptTimeoutMs ?? 5_000),
    totalTimeoutMs: readInteger('totalTimeoutMs', options.totalTimeoutMs ?? 12_000),
    maxAttempts: readInteger('maxAttempts', options.maxAttempts ?? 3),
    maxConnections: readInteger('maxConnections', options.maxConnections ?? 128),
    axios,
  };
}

function readApiUrl(value: string | URL, allowInsecure: boolean): string {
  const url = URL.canParse(String(value)) ? new URL(String(value)) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    fail('apiUrl must be an http or https address such as https://portal.example');
  if (url.username || url.password)
    fail('apiUrl must not carry a user name or password; the portal takes an apiKey');
  if (url.search || url.hash) fail('apiUrl must end with its path: remove what follows "?" or "#"');
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowInsecure)
    fail(
      'apiUrl must be an https address: over plain http, anybody on the network can read the API key. In a network that you trust, set allowInsecure: true',
    );
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** Whether a host name, as normalized by `URL`, is this machine. */
const isLoopback = (hostName: string) =>
  /^(127\.\d+\.\d+\.\d+|\[::1\]|(.+\.)?localhost)\.?$/.test(hostName);

function readInteger(name: keyof PortalClientOptions, value: unknown): number {
  const most = 2 ** 31 - 1;
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > most)
    fail(`${name} must be a whole number of at least 1`);
  return value as number;
}

function fail(what: string): never {
  throw new TypeError(`createPortalClient: ${what}.`);
}
