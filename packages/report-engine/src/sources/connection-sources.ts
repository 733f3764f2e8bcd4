import {
  describeUnknown,
  resolveDataset,
  type ConnectionDatasetSource,
  type Dataset,
  type DraftDataset,
} from '@portal-embed/report-model';

import { ReportError } from '#platform';

import { SourceError, type Finding } from '../connections/connection.ts';
import type { Connections, LimitedConnection } from '../connections/connections.ts';
import type { FileColumn } from '../files/tasks.ts';
import { findMatchedKeys, type LookUpKey, type ReaderTexts } from '../look-up-keys.ts';
import { answerPlans, typesOf, type Source } from '../source.ts';
import { findUnreadableTexts } from '../unreadable-texts.ts';

/** The connections that an organization's datasets may name. */
export interface OrganizationConnections {
  organizationId: string;
  connections: Connections | undefined;
  /** Names that an operator granted. */
  granted: ReadonlySet<string>;
  /** Called with the error of a connection that does not work. */
  onFailure: (error: unknown) => void;
  /** Whether messages say why a connection does not work, which names its address. */
  forOperator: boolean;
  signal: AbortSignal;
}

/** A dataset's source in a database cannot be used. The message is for its author. */
export class ConnectionSourceError extends Error {
  override name = 'ConnectionSourceError';
  /** The property of the source that is wrong. */
  readonly property: 'connection' | 'table' | 'sql';

  constructor(property: ConnectionSourceError['property'], message: string) {
    super(message);
    this.property = property;
  }
}

/**
 * Returns the columns of a table or SELECT.
 *
 * @throws ConnectionSourceError
 */
export function describeSource(
  scope: OrganizationConnections,
  source: ConnectionDatasetSource,
): Promise<FileColumn[]> {
  const connection = requireConnection(scope, source);
  return explain(scope, source, async () => {
    const columns = await connection.describe(ownerOf(scope), source, scope.signal);
    return [...columns].map(([name, type]) => ({
      name,
      type: connection.dialect.fieldTypeOf(type),
    }));
  });
}

/**
 * Returns what an author should know of the database and of a table or SELECT.
 *
 * @param columns columns that conditions use
 * @throws ConnectionSourceError
 */
export function inspectSource(
  scope: OrganizationConnections,
  { source, dataset }: { source: ConnectionDatasetSource; dataset: DraftDataset },
  columns: readonly string[],
): Promise<Finding[]> {
  const connection = requireConnection(scope, source);
  const owner = ownerOf(scope);
  return explain(scope, source, async () => {
    const findings = [
      ...(await connection.check(owner, scope.signal)),
      ...(await connection.checkSource(owner, source, columns, scope.signal)),
    ];
    const texts = await findTexts(scope, connection, { source, dataset });
    return findings.concat(texts.map((text) => ({ level: 'warning', text })));
  });
}

/**
 * Names the texts of a table or SELECT that are not values of the type as which they are read.
 *
 * @returns a sentence for the author for each field that has some
 * @throws ConnectionSourceError
 */
export function findSourceTexts(
  scope: OrganizationConnections,
  { source, dataset }: { source: ConnectionDatasetSource; dataset: DraftDataset },
): Promise<string[]> {
  const connection = requireConnection(scope, source);
  return explain(scope, source, () => findTexts(scope, connection, { source, dataset }));
}

async function findTexts(
  scope: OrganizationConnections,
  connection: LimitedConnection,
  { source, dataset }: { source: ConnectionDatasetSource; dataset: DraftDataset },
): Promise<string[]> {
  const opened = await connection.open(ownerOf(scope), source, scope.signal);
  return findUnreadableTexts(dataset, answerFrom(scope, opened, dataset));
}

const answerFrom = (scope: OrganizationConnections, opened: Source, { timeZone }: DraftDataset) =>
  answerPlans(
    (statement) => opened.query(ownerOf(scope), statement, scope.signal),
    opened,
    timeZone,
    new Date(),
  );

/**
 * Returns for each key of a table or SELECT whether a row has a value of a user.
 *
 * @throws ConnectionSourceError
 */
export function findSourceKeys(
  scope: OrganizationConnections,
  source: ConnectionDatasetSource,
  {
    definition,
    keys,
    texts,
  }: { definition: Dataset; keys: readonly LookUpKey[]; texts: ReaderTexts },
): Promise<boolean[]> {
  const connection = requireConnection(scope, source);
  return explain(scope, source, async () => {
    const opened = await connection.open(ownerOf(scope), source, scope.signal);
    const { draft } = resolveDataset(definition, typesOf(opened));
    return findMatchedKeys(draft, answerFrom(scope, opened, draft), keys, texts);
  });
}

const ownerOf = ({ organizationId }: OrganizationConnections) => ({
  organizationId,
  userId: 'content',
});

/** A connection of others and one that does not exist have the same message. */
function requireConnection(
  { connections, granted }: OrganizationConnections,
  { connection: name }: ConnectionDatasetSource,
): LimitedConnection {
  const found = granted.has(name) ? connections?.get(name) : undefined;
  if (found) return found;
  const names = connections?.names.filter((each) => granted.has(each)) ?? [];
  throw new ConnectionSourceError('connection', describeUnknown('connection', name, names));
}

async function explain<Result>(
  { onFailure, forOperator }: OrganizationConnections,
  source: ConnectionDatasetSource,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SourceError)
      throw new ConnectionSourceError('table' in source ? 'table' : 'sql', error.message);
    if (!(error instanceof ReportError)) throw error;
    onFailure(error);
    throw new ConnectionSourceError(
      'connection',
      forOperator
        ? error.message
        : `the connection "${source.connection}" is unavailable; try again later, or ask the operator of the portal`,
    );
  }
}
