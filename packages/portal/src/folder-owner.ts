import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

import { isNotPermitted } from '#server-kit';

import { ConfigurationError } from './errors.ts';

/** The command line that is running, and its environment. */
export interface RunningCommand {
  args: readonly string[];
  env: Record<string, string | undefined>;
}

const root = 0;

/**
 * Refuses to write as a user who does not own the folder, because the owner could not read the new files.
 *
 * @param dataDir the data directory, which may not exist yet
 * @param target a path in it that the command would write to
 * @throws `ConfigurationError` with the command that works
 */
export function requireOwner(dataDir: string, target: string, command: RunningCommand): void {
  const user = process.getuid?.();
  const folder = findExisting(dataDir, target);
  if (user === undefined || folder === undefined) return;
  const { uid: owner } = fs.statSync(folder);
  if (owner === user) return;
  // A mounted volume can belong to root, with a group or mode that lets the service write.
  if (owner === root && canWrite(folder)) return;
  if (canWrite(folder) && givesNewFilesTo(owner, folder)) return;
  throw new ConfigurationError(
    `The folder ${folder} belongs to ${nameOf(owner)}, but this command runs as ${nameOf(user)}. ` +
      `Run it as the owner: \`${writeCommand(owner, command)}\`.${
        owner === root
          ? ` If ${nameOf(user)} is the user of the portal, give it the folder: \`sudo chown -R ${quote(nameOf(user))} ${quote(dataDir)}\`.`
          : ''
      }`,
  );
}

/** Whether `target` is in `folder`, with all links resolved. */
export function isInside(folder: string, target: string): boolean {
  const from = path.relative(resolveExisting(folder), resolveExisting(target));
  // A name such as `..data` is inside.
  return from.split(path.sep, 1)[0] !== '..' && !path.isAbsolute(from);
}

/** Resolves the links of a path whose last parts may not exist. */
function resolveExisting(name: string): string {
  try {
    return fs.realpathSync(name);
  } catch {
    const parent = path.dirname(name);
    return parent === name ? name : path.join(resolveExisting(parent), path.basename(name));
  }
}

/**
 * Returns `target` or its nearest existing parent, up to the data directory. If this user may not search
 * the data directory, returns the nearest parent that it can inspect.
 */
function findExisting(dataDir: string, target: string): string | undefined {
  let folder = target;
  let isDenied = false;
  for (;;) {
    try {
      if (fs.statSync(folder).isDirectory()) return folder;
    } catch (error) {
      isDenied ||= isNotPermitted(error);
    }
    const parent = path.dirname(folder);
    if ((folder === dataDir && !isDenied) || parent === folder) return undefined;
    folder = parent;
  }
}

function canWrite(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK | fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether the file system gives new files to the folder's owner, as some network shares do. */
function givesNewFilesTo(owner: number, folder: string): boolean {
  const created = fs.mkdtempSync(path.join(folder, '.owner-'));
  try {
    return fs.statSync(created).uid === owner;
  } finally {
    fs.rmdirSync(created);
  }
}

/** The user's name, or `#` and the number, which `sudo` accepts too. */
function nameOf(user: number): string {
  try {
    return execFileSync('id', ['-nu', String(user)], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return `#${user}`;
  }
}

/** Variables that the command needs and `sudo` would remove. Their values may be secrets. */
const neededVariable = /^(PORTAL_\w+|PG[A-Z]+|NODE_EXTRA_CA_CERTS)$/;

function writeCommand(owner: number, { args, env }: RunningCommand): string {
  const variables = Object.keys(env).filter((name) => neededVariable.test(name) && env[name]);
  const program = [process.execPath, ...process.execArgv, process.argv[1] ?? 'portal'];
  return [
    'sudo',
    '-u',
    nameOf(owner),
    ...(variables.length > 0 ? [`--preserve-env=${variables.join(',')}`] : []),
    ...program,
    ...args.map(hidePassword),
  ]
    .map(quote)
    .join(' ');
}

/** Standard error may end up in a log. */
const hidePassword = (arg: string): string =>
  arg
    .replace(/(:\/\/[^:/@]*:).*@/, '$1PASSWORD@')
    .replaceAll(/([?&]password=)[^&]*/g, '$1PASSWORD');

const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
