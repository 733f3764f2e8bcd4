import { parseArgs } from 'node:util';

import { CouldNotRun } from '../could-not-run.ts';
import type { HostOptions } from '../host/options.ts';
import type { Limits } from '../http/limits.ts';
import type { PortalOptions } from '../portal/options.ts';

const text = { type: 'string' } as const;
const list = { type: 'string', multiple: true, default: [] as string[] } as const;
const flag = { type: 'boolean', default: false } as const;

const common = {
  url: text,
  header: list,
  skip: list,
  junit: text,
  quiet: flag,
  timeout: text,
  'max-seconds': text,
  'max-requests': text,
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const portalOnly = {
  key: text,
  write: flag,
  'limited-key': text,
  organization: text,
  report: text,
  dataset: text,
  role: text,
  group: text,
  'base-url': text,
  filter: text,
  'email-domain': text,
  slow: flag,
} as const;

const hostOnly = {
  cookie: text,
  origin: text,
  report: text,
  'allowed-origin': text,
  'locked-filter': text,
  'other-url': text,
} as const;

/** Options of the output. */
export interface OutputOptions {
  junit: string | undefined;
  isQuiet: boolean;
}

type Command =
  | { command: 'help' }
  | ({ command: 'portal'; options: PortalOptions } & OutputOptions)
  | ({ command: 'host'; options: HostOptions } & OutputOptions);

/**
 * Reads the arguments of the command line.
 *
 * @throws CouldNotRun, or the error of `parseArgs`, if they are not valid
 */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Command {
  const [command, ...rest] = args;
  if (command === '-h' || command === '--help') return { command: 'help' };
  if (command === 'portal') return readPortal(rest, env);
  if (command === 'host') return readHost(rest, env);
  throw new CouldNotRun(
    `${command === undefined ? 'The command is missing.' : `Unknown command ${JSON.stringify(command)}.`} Commands: portal, host.`,
  );
}

function readPortal(args: string[], env: NodeJS.ProcessEnv): Command {
  const { values } = parseArgs({ args, options: { ...common, ...portalOnly } });
  if (values.help) return { command: 'help' };
  requireTexts(values);
  const apiKey = values.key ?? readVariable(env, 'PORTAL_API_KEY');
  if (apiKey === undefined)
    throw new CouldNotRun('The API key is missing. Set PORTAL_API_KEY, or pass --key.');
  if ((values.dataset === undefined) !== (values.role === undefined))
    throw new CouldNotRun('--dataset and --role name one role together. Pass both.');
  return {
    command: 'portal',
    ...readOutput(values),
    options: {
      ...readCommon(values),
      apiKey,
      headers: readHeaders(values.header),
      write: values.write,
      limitedKey: values['limited-key'] ?? readVariable(env, 'PORTAL_LIMITED_API_KEY'),
      organizationId: values.organization,
      reportId: values.report,
      role:
        values.dataset === undefined
          ? undefined
          : { datasetId: values.dataset, name: values.role! },
      groupId: values.group,
      baseUrl: values['base-url'],
      filter: readFilter('filter', values.filter),
      emailDomain: values['email-domain'],
      slow: values.slow,
    },
  };
}

function readHost(args: string[], env: NodeJS.ProcessEnv): Command {
  const { values } = parseArgs({ args, options: { ...common, ...hostOnly } });
  if (values.help) return { command: 'help' };
  requireTexts(values);
  const cookie = values.cookie ?? readVariable(env, 'HOST_COOKIE');
  return {
    command: 'host',
    ...readOutput(values),
    options: {
      ...readCommon(values),
      session: {
        ...(cookie === undefined ? {} : { Cookie: cookie }),
        ...readHeaders(values.header),
      },
      origin: readOrigin('origin', values.origin),
      reportId: values.report,
      allowedOrigin: readOrigin('allowed-origin', values['allowed-origin']),
      portalKey: readVariable(env, 'PORTAL_API_KEY'),
      otherUrl: values['other-url'],
      lockedFilter: readFilter('locked-filter', values['locked-filter']),
    },
  };
}

/** Reads an environment variable. An empty one is a lost secret, and must not skip rules silently. */
function readVariable(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = env[name];
  if (value?.trim() === '')
    throw new CouldNotRun(`The environment variable ${name} is empty. Set it, or unset it.`);
  return value;
}

/** @throws CouldNotRun if an option is empty, as the option of an empty variable is. */
function requireTexts(values: object): void {
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'string' && value.trim() === '')
      throw new CouldNotRun(`--${name} is empty. Give it a value, or leave it out.`);
}

interface CommonValues {
  url?: string | undefined;
  skip: string[];
  junit?: string | undefined;
  quiet: boolean;
  timeout?: string | undefined;
  'max-seconds'?: string | undefined;
  'max-requests'?: string | undefined;
}

const readOutput = ({ junit, quiet }: CommonValues): OutputOptions => ({ junit, isQuiet: quiet });

function readCommon(values: CommonValues) {
  const { url, skip } = values;
  if (url === undefined) throw new CouldNotRun('The address is missing. Pass --url.');
  const given = {
    timeoutSeconds: readNumber('timeout', values.timeout),
    maxSeconds: readNumber('max-seconds', values['max-seconds']),
    maxRequests: readNumber('max-requests', values['max-requests']),
  };
  const limits = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<Limits>;
  return { url, skip, limits };
}

function readNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  // Node's timers end at 2 ** 31 milliseconds.
  if (!(number > 0) || number > 1_000_000)
    throw new CouldNotRun(`--${name} must be a number above 0, at most 1000000.`);
  return number;
}

function readHeaders(headers: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    headers.map((header) => {
      const match = /^([\w!#$%&'*+.^`|~-]+):\s*([\x21-\x7e][\t\x20-\x7e]*)$/.exec(header);
      if (!match)
        throw new CouldNotRun(
          "--header must be a name, a colon and a value, such as 'Authorization: Bearer …'.",
        );
      return [match[1]!, match[2]!];
    }),
  );
}

function readFilter(name: string, value: string | undefined) {
  if (value === undefined) return undefined;
  const split = value.indexOf('=');
  if (split < 1)
    throw new CouldNotRun(`--${name} must be a key, = and a value, such as Table/Column=West.`);
  return { key: value.slice(0, split), value: value.slice(split + 1) };
}

function readOrigin(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || !/^https?:/.test(value))
    throw new CouldNotRun(`--${name} must be an origin, such as https://app.example.`);
  return new URL(value).origin;
}
