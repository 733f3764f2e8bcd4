/** A database that datasets read from. An environment variable defines it. */
export interface ConnectionSettings {
  /** Name in content files and on the command line. */
  name: string;
  engine: 'postgres' | 'clickhouse';
  /** Contains the password: use `describeAddress` in messages. */
  url: string;
}
