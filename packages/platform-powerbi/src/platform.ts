import { createHash } from 'node:crypto';

import {
  ReportError,
  type Frames,
  type Opened,
  type OpenOptions,
  type Reading,
  type Refused,
  type RemotePlatform,
} from '#platform';

import { listCatalogue } from './catalogue.ts';
import { checkConnection } from './check.ts';
import { clouds } from './clouds.ts';
import type { Connection, Credential } from './connection.ts';
import { powerbi } from './description.ts';
import { generateToken } from './embed-token.ts';
import { PowerbiError } from './errors.ts';
import { translateFilters } from './filters.ts';
import { identify } from './identity.ts';
import { Rest, type RestOptions } from './rest.ts';
import { datasetSource, reportSource } from './sources.ts';

/** What an organization has set up. */
export interface SetUp {
  connection: Connection;
  credential: Credential;
}

export interface PowerbiOptions extends Pick<RestOptions, 'addresses' | 'fetch' | 'now' | 'wait'> {
  /** `undefined` if the organization has no connection. */
  findSetUp: (organizationId: string) => Promise<SetUp | undefined>;
  /** Files of the page half. */
  frames: Pick<Frames, 'script' | 'styles'>;
  /** Called when Power BI has rejected a token that the catalogue says is right. Default: nothing. */
  onStale?: ((organizationId: string) => void) | undefined;
}

/** A token with less time left is renewed, so that a slow answer does not end the report. */
const renewSeconds = 180;

/** Failures that pass: a frame whose token is still valid is shown on. */
const passing: ReadonlySet<string> = new Set(['paused', 'throttled', 'unavailable']);

/** Creates the platform that shows reports of Power BI workspaces. */
export function powerbiPlatform(options: PowerbiOptions): RemotePlatform {
  const connections = new Connections(options);
  return {
    ...powerbi,
    frames: { ...powerbi.frames, ...options.frames },
    frameOrigins: async (organizationId) => {
      const setUp = await options.findSetUp(organizationId);
      return setUp ? clouds[setUp.connection.cloud].pages : [];
    },
    open: (reading, opening) => open(connections, reading, opening, options.onStale),
    remote: {
      list: async (organizationId, signal) => {
        const { rest, connection } = await connections.require(organizationId);
        return listCatalogue(rest, connection, signal);
      },
      check: async (organizationId, signal) => {
        const { rest, connection } = await connections.require(organizationId);
        return checkConnection(rest, connection, signal);
      },
    },
    close: async () => {},
  };
}

interface Connected {
  rest: Rest;
  connection: Connection;
}

/** Keeps the access token of each organization while its connection stays the same. */
class Connections {
  readonly #options: PowerbiOptions;
  readonly #connected = new Map<string, Connected & { of: string }>();

  constructor(options: PowerbiOptions) {
    this.#options = options;
  }

  async find(organizationId: string): Promise<Connected | undefined> {
    const { findSetUp, addresses, fetch, now, wait } = this.#options;
    const setUp = await findSetUp(organizationId);
    if (!setUp) {
      this.#connected.delete(organizationId);
      return undefined;
    }
    const of = hash(setUp);
    const held = this.#connected.get(organizationId);
    if (held?.of === of) return held;
    const rest = new Rest({ ...setUp, addresses, fetch, now, wait });
    const connected = { of, rest, connection: setUp.connection };
    this.#connected.set(organizationId, connected);
    return connected;
  }

  /** @throws `PowerbiError`: `sign-in` */
  async require(organizationId: string): Promise<Connected> {
    const connected = await this.find(organizationId);
    if (connected) return connected;
    throw new PowerbiError(
      'sign-in',
      'The connection to Power BI has no secret. Set PORTAL_POWERBI_SECRET_ or PORTAL_POWERBI_CERTIFICATE_ with the slug of the organization in capitals, and restart the portal.',
    );
  }
}

async function open(
  connections: Connections,
  reading: Reading,
  { held, signal }: OpenOptions,
  onStale: PowerbiOptions['onStale'],
): Promise<Opened> {
  const connected = await connections.find(reading.organizationId);
  if (!connected)
    return refuse(
      'The organization has no connection to Power BI, or the connection has no secret.',
    );
  const { rest, connection } = connected;
  const { embedUrl } = reportSource.parse(reading.report.source);
  const dataset = datasetSource.parse(reading.dataset.source);
  const reportId = reading.report.id!;

  const identified = identify(reading, dataset, connection);
  if ('kind' in identified) return identified;
  const filters = translateFilters(reading.filters);
  const wrong =
    reading.unappliedFilters === 'refuse'
      ? [...filters.contradictory, ...filters.unapplied]
      : filters.contradictory;
  if (wrong.length > 0)
    return { kind: 'refused', reason: 'filters', detail: 'The filters do not fit.', keys: wrong };

  const canExport = reading.purpose === 'read';
  const filtersKey = hash(filters.basic).slice(0, 12);
  const settings = { reportId, filters: filters.basic, filtersKey, canExport };
  const { identity } = identified;
  const { tenant, clientId } = connection;
  const dependencies = { tenant, clientId, embedUrl, dataset, identity, settings };
  const key = hash(dependencies);
  const isHeld = held?.key === key && held.secondsLeft > 0;
  if (isHeld && held.secondsLeft >= renewSeconds) return { kind: 'kept' };
  try {
    const { modelId } = dataset;
    const { token, expiresAt } = await generateToken(
      (call) => rest.ask(call),
      { reportId, modelId, identity },
      signal,
    );
    return {
      kind: 'frame',
      url: embedUrl,
      token,
      expiresAt,
      key,
      settings,
      unappliedFilters: filters.unapplied,
      filtersAreEnforced: connection.customData && identity !== undefined,
    };
  } catch (error) {
    if (!(error instanceof PowerbiError)) throw error;
    if (passing.has(error.failure)) {
      if (isHeld) return { kind: 'kept' };
      const reason = error.failure === 'throttled' ? 'overloaded' : 'unavailable';
      throw new ReportError(reason, error.message, { cause: error.cause });
    }
    // Roles may have been added to the model since.
    if (error.failure === 'rejected' || error.failure === 'not-found')
      onStale?.(reading.organizationId);
    return refuse(error.message);
  }
}

const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

const refuse = (detail: string): Refused => ({ kind: 'refused', reason: 'not-set-up', detail });
