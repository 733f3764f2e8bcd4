import path from 'node:path';

import type { Command } from '@commander-js/extra-typings';
import type { DataChange } from '@portal-embed/contract';

import { formatMistake } from '../content/mistakes.ts';
import type { DataResult } from '../content/new-data/change.ts';
import { changeDatasetData } from '../content/new-data/service.ts';
import { datasetFolderOf, openFiles } from '../files/open.ts';
import { addOrganizationCommand, type Cli } from './cli.ts';
import { exitCodes } from './exit-codes.ts';
import { formatLines, formatTable } from './output.ts';
import { withFileProgress } from './progress.ts';

/** Commands that bring new data files to a dataset. */
export function addDataCommands(content: Command, cli: Cli): void {
  addDataCommand(
    content,
    'replace',
    'replace a file of a dataset; all datasets that read the file get the new data',
  )
    .option(
      '--target <name>',
      'file of the dataset that it replaces; default: the only one, or the one of the same name',
    )
    .action((dataset: string, file: string, options) =>
      changeData(cli, { mode: 'replace', dataset, file, ...options }),
    );

  addDataCommand(
    content,
    'append',
    'add the rows of a further file to a dataset; the file gets a name that fits the others',
  ).action((dataset: string, file: string, options) =>
    changeData(cli, { mode: 'append', dataset, file, ...options }),
  );
}

const addDataCommand = (content: Command, name: 'replace' | 'append', description: string) =>
  addOrganizationCommand(content, `${name} <dataset> <file>`, description, [
    `portal content ${name} orders orders-2026.csv -o acme --dry-run`,
    `portal content ${name} orders orders-2026.csv -o acme`,
  ])
    .addHelpText(
      'after',
      '\n<dataset> is the slug or id of a dataset whose rows are in files. A --dry-run shows the columns,\nrows and totals before and after, and what would not fit. It exits with 1 if the data is refused.',
    )
    .option('--dry-run', 'show what would change, and change nothing')
    .option(
      '--force',
      'apply the change even if the dataset would read the same file twice, or a look-up key is no longer unique',
    );

interface DataOptions {
  mode: 'replace' | 'append';
  dataset: string;
  file: string;
  organization: string;
  target?: string | undefined;
  dryRun?: true | undefined;
  force?: true | undefined;
}

function changeData(
  cli: Cli,
  { mode, dataset, file, target, dryRun, force, ...options }: DataOptions,
): Promise<void> {
  const activity = {
    action: mode === 'append' ? 'appendData' : 'replaceData',
    subject: dataset,
  } as const;
  return cli.onOrganization(
    options,
    async (ctx) => {
      const config = cli.readConfig();
      const datasetFolder = datasetFolderOf(config);
      // A dry run writes versions of the data files, too.
      cli.requireOwner(path.join(datasetFolder, ctx.organizationId));
      const { signal } = cli;
      const scope = { datasetFolder, files: await openFiles(ctx.db, config), signal };
      const request = { path: cli.resolvePath(file), fileName: path.basename(file) };
      const change = { ...request, mode, dataset, target, dryRun, force };
      const found = await withFileProgress(cli, () => changeDatasetData(ctx, scope, change));
      const isRefused = found.mistakes.length > 0 || (found.doubts.length > 0 && !force);
      if (isRefused) cli.exitCode = exitCodes.failed;
      const { sources: _, ...json } = found;
      return { json, text: describeData(found, { dryRun, isRefused }) };
    },
    dryRun ? undefined : activity,
  );
}

function describeData(
  { file, datasets, hints, mistakes, doubts }: DataResult,
  { dryRun, isRefused }: { dryRun: boolean | undefined; isRefused: boolean },
): string {
  const rows = datasets.flatMap(listChanges);
  const isSame = datasets.every(({ change }) => change === 'unchanged');
  const end = isRefused
    ? 'The data would be refused.'
    : isSame
      ? 'The data is the same. Nothing changes.'
      : dryRun
        ? `${file} would be stored.`
        : `Stored ${file}.`;
  return formatLines([
    ...(isSame ? [] : [formatTable(['DATASET', 'WHAT', 'BEFORE', 'AFTER'], rows, '')]),
    ...mistakes.map(formatMistake),
    ...doubts.map(({ message }) => `${message}; to continue anyway, add --force`),
    ...hints.map((hint) => `hint: ${hint}`),
    end,
  ]);
}

const listChanges = ({ slug, rows, columns, totals, time }: DataChange) =>
  [
    ['rows', rows.before, rows.after],
    ...columns.added.map(({ name, type }) => [`new column ${name}`, null, type]),
    ...columns.removed.map(({ name, type }) => [`column ${name} gone`, type, null]),
    ...columns.changed.map(({ name, before, after }) => [`type of ${name}`, before, after]),
    ...totals.map(({ name, before, after }) => [`total of ${name}`, before, after]),
    ...(time
      ? [
          [`first ${time.field}`, time.before?.from ?? null, time.after?.from ?? null],
          [`last ${time.field}`, time.before?.to ?? null, time.after?.to ?? null],
        ]
      : []),
  ].map(([what, before, after]) => [slug, what!, before!, after!]);
