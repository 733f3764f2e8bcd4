import { once } from 'node:events';
import fs from 'node:fs';
import type { Writable } from 'node:stream';

import type { Command } from '@commander-js/extra-typings';

import { csvHeader, formatEntry } from '../access-log/access-log-csv.ts';
import { presentEntry } from '../access-log/presenter.ts';
import { countPruned, exportEntries, pruneEntries } from '../access-log/service.ts';
import type { Context } from '../actor/actor.ts';
import { PortalError } from '../errors.ts';
import { addOrganizationCommand, openContext, type Cli } from './cli.ts';
import { emailFilterSchema, parseInput } from './input.ts';
import { formatCount, write } from './output.ts';
import { parsePast } from './parsers.ts';
import { addPruneCommand } from './prune.ts';

export function addAuditCommands(program: Command, cli: Cli): void {
  const audit = program
    .command('audit')
    .description('export and prune the access log: who was given access to which report, and when');

  addOrganizationCommand(
    audit,
    'export',
    'write the entries, oldest first, as CSV or, with --json, as JSON lines',
    [
      'portal audit export -o acme --output acme.csv',
      'portal audit export -o acme --from 2026-01-01 --to 2026-02-01 --json | gzip > january.jsonl.gz',
    ],
  )
    .option('--from <moment>', 'only at or after this time', parsePast)
    .option('--to <moment>', 'only before this time; default: now', parsePast)
    .option('--user <email>', 'only entries of this user')
    .option('--output <file>', 'new file to write to; default: standard output')
    .action(async (options) => {
      const database = await cli.openDatabase();
      try {
        const ctx = await openContext(database.db, cli.readConfig(), options.organization);
        const user = parseInput(emailFilterSchema, options.user, 'user');
        const target = options.output ? cli.resolveTarget(options.output) : undefined;
        // Opened last, so that a command that fails leaves no empty file.
        const file = target === undefined ? undefined : await createFile(target);
        const count = await writeEntries(ctx, cli, { ...options, user }, file ?? cli.stdout);
        if (!file) return;
        file.end();
        await once(file, 'close');
        await cli.answer({
          json: { entries: count, file: target },
          text: `Wrote ${formatCount(count, 'entry', 'entries')} to ${target}.`,
        });
      } finally {
        await database.close();
      }
    });

  addPruneCommand(audit, cli, {
    name: 'access log',
    count: countPruned,
    prune: pruneEntries,
    examples: [
      'portal audit prune -o acme --before 400d',
      'portal audit prune -o acme --before 2026-01-01 --yes',
    ],
  });
}

/** @throws `invalid_request` if the file exists or cannot be created */
async function createFile(name: string): Promise<fs.WriteStream> {
  const file = fs.createWriteStream(name, { flags: 'wx', mode: 0o600 });
  try {
    await once(file, 'open');
    return file;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new PortalError(
      'invalid_request',
      code === 'EEXIST'
        ? `The file ${name} exists already. Choose another name.`
        : `The file ${name} cannot be created (${message}). Choose another place.`,
    );
  }
}

async function writeEntries(
  ctx: Context,
  { asJson, signal }: Cli,
  options: { from?: Date; to?: Date; user?: string | undefined },
  stream: Writable,
): Promise<number> {
  const filter = { userEmail: options.user, from: options.from, to: options.to ?? new Date() };
  let count = 0;
  if (!asJson) await write(stream, csvHeader);
  for await (const rows of exportEntries(ctx, filter)) {
    signal?.throwIfAborted();
    const entries = rows.map(presentEntry);
    const lines = asJson
      ? entries.map((entry) => `${JSON.stringify(entry)}\n`)
      : entries.map(formatEntry);
    await write(stream, lines.join(''));
    count += rows.length;
  }
  return count;
}
