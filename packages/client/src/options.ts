import { parseOptions } from '@portal-embed/contract';
import type { AxiosInstance } from 'axios';
import { z } from 'zod';

/** Names in requests that the specification leaves open. */
export interface FieldNames {
  /**
   * The parameter that selects a page of users, reports or roles. That of the access log is always
   * `pageNumber`. Default: `pageNumber`.
   */
  pageNumber?: string | undefined;
  /** The field with the groups that a role is linked to or unlinked from. Default: `groups`. */
  groups?: string | undefined;
}

export interface PortalClientOptions {
  /**
   * Address of the portal's API, for example `https://portal.example`, or with a path prefix
   * `https://intranet.example/portal`. It must be https, or http to a loopback address.
   */
  apiUrl: string | URL;
  /** An API key of the portal. */
  apiKey: string;
  /**
   * Allows plain http to other machines. Anybody on the network can then read the key. Default:
   * false.
   */
  allowInsecure?: boolean | undefined;
  /** Time limit of one attempt, in milliseconds. Default: 5,000. */
  attemptTimeoutMs?: number | undefined;
  /** Time limit of a call with all its attempts and pauses, in milliseconds. Default: 12,000. */
  totalTimeoutMs?: number | undefined;
  /** Maximum number of attempts; 1 means no retries. Default: 3. */
  maxAttempts?: number | undefined;
  /** Names that a portal of another vendor uses in requests. Default: those of our portal. */
  fieldNames?: FieldNames | undefined;
  /** Maximum number of open connections to the portal. Default: 128. */
  maxConnections?: number | undefined;
  /**
   * Your own axios instance, for a proxy, a private certificate authority or interceptors. Redirects
   * stay disabled. Interceptors receive the API key, so do not log headers in them. Default: undici.
   */
  axios?: AxiosInstance | undefined;
}

const wholeNumber = (defaultValue: number) => {
  const message = 'must be a whole number of at least 1';
  return z
    .int(message)
    .min(1, message)
    .max(2 ** 31 - 1, message)
    .default(defaultValue);
};

const apiUrl = z
  .preprocess(
    String,
    z.url({
      protocol: /^https?$/,
      error: 'must be an http or https address such as https://portal.example',
      abort: true,
    }),
  )
  .transform((text) => new URL(text))
  .refine(
    ({ username, password }) => username === '' && password === '',
    'must not contain a user name or password. Use apiKey',
  )
  .refine(
    ({ search, hash }) => search === '' && hash === '',
    'must end with its path. Remove everything after "?" or "#"',
  );

// Other characters could not be sent in a header, or could start a second header.
const missing = 'is missing. Set the environment variable that it is read from';
const apiKey = z
  .string({ error: ({ input }) => (input === undefined ? missing : 'must be text') })
  .min(1, { error: missing, abort: true })
  .regex(/^[\x21-\x7e]+$/, 'must be the key as the portal shows it, without spaces or line breaks');

const fieldName = (name: keyof FieldNames) =>
  z.string('must be text').min(1, 'must not be empty').default(name);
const fieldNames = z.strictObject(
  { pageNumber: fieldName('pageNumber'), groups: fieldName('groups') } satisfies Record<
    keyof FieldNames,
    z.ZodType
  >,
  'must be an object with pageNumber or groups',
);

const optionsSchema = z
  .strictObject(
    {
      apiUrl,
      apiKey,
      allowInsecure: z.boolean('must be true or false').default(false),
      attemptTimeoutMs: wholeNumber(5_000),
      totalTimeoutMs: wholeNumber(12_000),
      maxAttempts: wholeNumber(3),
      maxConnections: wholeNumber(128),
      fieldNames: fieldNames.prefault({}),
      axios: z
        .custom<AxiosInstance>(
          (value) => typeof (value as AxiosInstance | null)?.request === 'function',
          'must be an axios instance, as axios.create() returns',
        )
        .optional(),
    } satisfies Record<keyof PortalClientOptions, z.ZodType>,
    'needs an object with apiUrl and apiKey',
  )
  .refine(
    (options) =>
      options.apiUrl.protocol === 'https:' ||
      isLoopback(options.apiUrl.hostname) ||
      options.allowInsecure,
    {
      path: ['apiUrl'],
      error:
        'must be an https address: over plain http, anybody on the network can read the API key. In a network that you trust, set allowInsecure: true',
    },
  );

/** Whether a host name, as normalized by `URL`, is this machine. */
const isLoopback = (hostName: string) =>
  /^(127\.\d+\.\d+\.\d+|\[::1\]|(.+\.)?localhost)\.?$/.test(hostName);

export interface ClientSettings extends Omit<z.output<typeof optionsSchema>, 'apiUrl'> {
  /** Without a trailing slash. */
  apiUrl: string;
}

/** Checks the options and fills in the defaults. */
export function readOptions(options: PortalClientOptions): ClientSettings {
  const settings = parseOptions(optionsSchema, options, 'createPortalClient');
  const { origin, pathname } = settings.apiUrl;
  return { ...settings, apiUrl: origin + pathname.replace(/\/+$/, '') };
}
