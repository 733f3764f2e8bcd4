import fs from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';

import { Option, type Command } from '@commander-js/extra-typings';

import { recordRefusal, type Activity } from '../activity-log/service.ts';
import { operatorContext, type Context } from '../actor/actor.ts';
import { readConfig, type Config } from '../config.ts';
import { prepareDataDir, requireFolder } from '../data-dir.ts';
import { openDatabase, type Database, type OpenDatabase } from '../db/connection/open.ts';
import { LockedError } from '../db/embedded/lock.ts';
import { ConfigurationError } from '../errors.ts';
import { PortalError } from '../errors.ts';
import { isInside, requireOwner } from '../folder-owner.ts';
import { findOrganization } from '../organizations/service.ts';
import { version } from '../version.ts';
import { runOnServer } from './control/client.ts';
import { exitCodes } from './exit-codes.ts';
import { write, type Answer } from './output.ts';
import { momentHelp } from './parsers.ts';

/** The environment and the streams of a command. */
export interface Terminal {
  env: Record<string, string | undefined>;
  stdout: Writable;
  stderr: Writable;
  /** Asks the person at the terminal; absent in a script. Returns `undefined` if the person cancels. */
  ask?: ((question: string) => Promise<string | undefined>) | undefined;
  /** Folder that relative file names refer to. */
  cwd: string;
  /** Set when a server runs the command for another process. */
  server?: { db: Database; config: Config };
  /** Aborts when the caller disconnects. */
  signal?: AbortSignal;
}

interface Options {
  organization?: string;
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Configuration, database and output of a command. */
export class Cli {
  readonly #args: readonly string[];
  readonly #terminal: Terminal;
  /** Whether `--json` was given, before or after the command. */
  asJson = false;
  /** Exit code of a command that has answered. */
  exitCode: number = exitCodes.done;
  /** Whether another process holds the embedded database, so that a server must run the command. */
  isLockedOut = false;

  constructor(args: readonly string[], terminal: Terminal) {
    this.#args = args;
    this.#terminal = terminal;
  }

  readConfig(): Config {
    return this.#terminal.server?.config ?? readConfig(this.#terminal.env);
  }

  get stdout(): Writable {
    return this.#terminal.stdout;
  }

  get stderr(): Writable {
    return this.#terminal.stderr;
  }

  /** Whether a server runs the command for another process. */
  get runsForCaller(): boolean {
    return this.#terminal.server !== undefined;
  }

  get signal(): AbortSignal | undefined {
    return this.#terminal.signal;
  }

  resolvePath(file: string): string {
    return path.resolve(this.#terminal.cwd, file);
  }

  /** Resolves the name of a file or folder that the command writes. Throws like `requireOwner`. */
  resolveTarget(file: string): string {
    const target = this.resolvePath(file);
    if (isInside(this.readConfig().dataDir, target)) this.requireOwner(target);
    return target;
  }

  /**
   * Refuses to write to a path of the data directory as a user who does not own it.
   *
   * @throws `ConfigurationError` with the command that works
   */
  requireOwner(target: string): void {
    const command = { args: this.#args, env: this.#terminal.env };
    requireOwner(this.readConfig().dataDir, target, command);
  }

  /** Asks the person at the terminal. Returns `undefined` if there is none. */
  async ask(question: string): Promise<string | undefined> {
    return this.#terminal.ask?.(question);
  }

  /**
   * Lets the server that holds the embedded database run the command.
   *
   * @param ask answers the questions of the command; default: the person at the terminal
   * @returns the exit code, or `undefined` if no server holds it
   */
  forward(ask: Terminal['ask'] = this.#terminal.ask): Promise<number | undefined> {
    const { dataDir, operator } = this.readConfig();
    const { cwd } = this.#terminal;
    const request = {
      version,
      args: [...this.#args],
      cwd,
      operator,
      canAnswer: ask !== undefined,
    };
    return runOnServer(dataDir, request, { ...this.#terminal, ask });
  }

  /** Runs `work` on the database of the server that runs the command. */
  async onServer(work: (db: Database) => Promise<void>): Promise<void> {
    await work(this.#terminal.server!.db);
  }

  async answer(answer: Answer): Promise<void> {
    const text = this.asJson ? JSON.stringify(answer.json, null, 2) : answer.text;
    await write(this.stdout, `${text}\n`);
  }

  /**
   * Opens the database, which the caller must close. Closing a server's database has no effect.
   *
   * @param options.migrate whether an older schema is migrated; by default it is refused
   */
  async openDatabase({ migrate = false } = {}): Promise<
    Pick<OpenDatabase, 'db' | 'applied' | 'close'>
  > {
    const { server } = this.#terminal;
    if (server) return { db: server.db, applied: [], close: async () => {} };
    const config = this.readConfig();
    if (!config.databaseUrl) this.requireEmbedded(config.dataDir, { migrate });
    try {
      return await openDatabase({ ...config, migrate });
    } catch (error) {
      this.isLockedOut = error instanceof LockedError;
      throw error;
    }
  }

  /**
   * Checks that this user may open the embedded database.
   *
   * @param options.migrate whether it may be missing
   * @throws `ConfigurationError`
   */
  requireEmbedded(dataDir: string, { migrate = false } = {}): void {
    const folder = path.join(dataDir, 'database');
    requireFolder(dataDir);
    this.requireOwner(folder);
    if (migrate) prepareDataDir(dataDir);
    // Opening a missing embedded database would create one.
    if (!migrate && !fs.statSync(folder, { throwIfNoEntry: false }))
      throw new ConfigurationError(
        `There is no portal database in ${dataDir}. Check PORTAL_DATA_DIR, or create one with \`portal migrate\`.`,
      );
  }

  /** Runs `work` on the database, closes it, then prints the answer. */
  async onDatabase(work: (db: Database, config: Config) => Promise<Answer>): Promise<void> {
    const database = await this.openDatabase();
    let answer: Answer;
    try {
      answer = await work(database.db, this.readConfig());
    } finally {
      await database.close();
    }
    await this.answer(answer);
  }

  /**
   * Runs `work` for one organization: see `onDatabase`.
   *
   * @param activity entry of the activity log if the operation is refused
   */
  onOrganization(
    options: Options,
    work: (ctx: Context) => Promise<Answer>,
    activity?: Activity,
  ): Promise<void> {
    return this.onDatabase(async (db, config) => {
      const ctx = await openContext(db, config, options.organization ?? '');
      return activity ? recordRefusal(ctx, activity, () => work(ctx)) : work(ctx);
    });
  }
}

/**
 * Returns the context of the organization with this slug or id.
 *
 * @param options.deletedToo accepts the id of a deleted organization, whose activity log remains
 */
export async function openContext(
  db: Database,
  config: Config,
  name: string,
  options: { deletedToo?: boolean } = {},
): Promise<Context> {
  const { publicUrl, operator } = config;
  const id = uuidPattern.test(name) ? name.toLowerCase() : undefined;
  const organizationId = id && options.deletedToo ? id : await findOrganization(db, id ?? name);
  if (organizationId) return operatorContext({ db, publicUrl, operator, organizationId });
  throw new PortalError(
    'organization_not_found',
    `The organization "${name}" does not exist. Run \`portal organizations list\` to see the existing ones.`,
  );
}

/** Adds a command with `--json`, an explanation of `<moment>` if an option takes one, and examples. */
export function addCommand<Usage extends string>(
  parent: Command,
  usage: Usage,
  description: string,
  examples: readonly string[],
) {
  const title = examples.length === 1 ? 'Example' : 'Examples';
  return parent
    .command(usage)
    .description(description)
    .option('--json', 'print JSON')
    .addHelpText('after', ({ command }) => (takesMoment(command) ? momentHelp : ''))
    .addHelpText('after', `\n${title}:\n${examples.map((example) => `  $ ${example}`).join('\n')}`);
}

const takesMoment = ({ options }: Pick<Command, 'options'>): boolean =>
  options.some(({ flags }) => flags.endsWith('<moment>'));

/** Adds a command about one organization. */
export const addOrganizationCommand = <Usage extends string>(
  parent: Command,
  usage: Usage,
  description: string,
  examples: readonly string[],
) =>
  addCommand(parent, usage, description, examples).addOption(
    new Option(
      '-o, --organization <organization>',
      'slug or id of the organization',
    ).makeOptionMandatory(),
  );

/** Collects an option that may be given several times. */
export const collect = (value: string, previous: string[] | undefined): string[] => [
  ...(previous ?? []),
  value,
];
