import fs from 'node:fs/promises';
import path from 'node:path';

import { Option, type Command } from '@commander-js/extra-typings';
import { encodings } from '@portal-embed/report-model';
import { createPatch } from 'diff';

import { openConnections } from '#report-engine';

import type { Context } from '../actor/actor.ts';
import { ContentError } from '../content/content-error.ts';
import { dataFolderOf, readFolder } from '../content/folder.ts';
import { initContent } from '../content/init.ts';
import { getFilePath } from '../content/items.ts';
import { formatMistake, type Mistake } from '../content/mistakes.ts';
import type { Change } from '../content/plan.ts';
import { presentResult } from '../content/presenter.ts';
import {
  applyContent,
  checkFolder,
  readContent,
  type ContentRequest,
  type ContentResult,
} from '../content/service.ts';
import { datasetFolderOf, openFiles } from '../files/open.ts';
import { readAnswers } from './answers.ts';
import { addCommand, addOrganizationCommand, openContext, type Cli } from './cli.ts';
import { addDataCommands } from './data-commands.ts';
import { exitCodes } from './exit-codes.ts';
import { formatCount, formatLines, formatTable, type Answer } from './output.ts';
import { withFileProgress } from './progress.ts';

const folderHelp = `
A content folder contains datasets/NAME.yaml, reports/NAME.yaml and data/, the folder of the data files
that the datasets use.`;

export function addContentCommands(program: Command, cli: Cli): void {
  const content = program
    .command('content')
    .description('manage datasets, reports and roles as files')
    .addHelpText('after', folderHelp);

  addCommand(
    content,
    'init <file>',
    'write a dataset and a first report for a CSV file, workbook or Parquet file',
    [
      'portal content init orders.csv',
      'portal content init orders.csv --folder acme-content',
      'portal content init umsatz.csv --thousands .',
      'portal content init plan.xlsx --sheet Budget',
    ],
  )
    .option('--folder <folder>', 'content folder to write to', 'content')
    .addOption(
      new Option('--decimal <separator>', 'decimal separator of numbers').choices([
        '.',
        ',',
      ] as const),
    )
    .addOption(
      new Option('--thousands <separator>', 'thousands separator of numbers').choices([
        '.',
        ',',
        ' ',
        "'",
      ] as const),
    )
    .option(
      '--date <format...>',
      'date format, such as "%d.%m.%Y", or one of a column: "Day=%d.%m.%Y"',
    )
    .option(
      '--years-from <year...>',
      'first of the hundred years of two-digit years, or one of a column: "Day=1930"',
    )
    .option('--nulls <text...>', 'texts that stand for a missing value, such as "N/A"')
    .option(
      '--currency <code...>',
      'currency of amounts, such as USD, or one of a column: "Price=USD"',
    )
    .option('--sheet <sheet>', 'sheet of a workbook (default: the first one with values)')
    .option('--type <column=type...>', 'type of a column, such as "Code=text"')
    .option('--delimiter <character>', 'character between two values, such as "\\t"')
    .addOption(new Option('--encoding <encoding>', 'encoding of the file').choices(encodings))
    .option('--skip <lines>', 'number of lines above the column names')
    .option('--skip-footer <rows>', 'number of rows at the end that are not data')
    .action(async (file: string, { folder: given, ...options }) => {
      const folder = cli.resolveTarget(given);
      const written = await withFileProgress(cli, () =>
        initContent(cli.resolvePath(file), folder, readAnswers(options)),
      );
      const next = `Edit the files, then run \`portal content apply -o ORGANIZATION ${given}\`.`;
      await cli.answer({
        json: { folder, files: written.files, hints: written.hints },
        text: formatLines([
          ...written.files.map((name) => `Wrote ${path.join(given, name)}.`),
          ...written.hints,
          next,
        ]),
      });
    });

  addCommand(
    content,
    'check <folder>',
    'check a content folder, and list each mistake with file, line and column',
    ['portal content check content', 'portal content check content -o acme'],
  )
    .option(
      '-o, --organization <organization>',
      'also check the folder together with the content of this organization',
    )
    .action(async (folder: string, options) => {
      const found = await check(cli, folder, options);
      if (found.mistakes.length > 0) cli.exitCode = exitCodes.failed;
      await cli.answer({
        json: found,
        text: formatLines([
          ...found.mistakes.map(formatMistake),
          ...found.hints.map((hint) => `hint: ${hint}`),
          found.mistakes.length === 0
            ? 'The content has no mistakes.'
            : `${formatCount(found.mistakes.length, 'mistake', 'mistakes')}.`,
        ]),
      });
    });

  addOrganizationCommand(content, 'diff <folder>', 'show what apply would change', [
    'portal content diff content -o acme',
    'portal content diff content -o acme --prune',
  ])
    .option('--prune', 'also show what apply --prune would archive')
    .action((folder: string, options) =>
      runChange(cli, folder, { ...options, dryRun: true }, ({ changes, hints }) => ({
        json: presentResult({ changes, hints }),
        text: formatLines([
          ...changes.filter(({ change }) => change !== 'unchanged').map(formatChange),
          ...hints.map((hint) => `hint: ${hint}`),
          ...(changes.every(({ change }) => change === 'unchanged') ? ['No changes.'] : []),
        ]),
      })),
    );

  addOrganizationCommand(
    content,
    'apply <folder>',
    "create and update an organization's content from a folder, all or nothing",
    ['portal content apply content -o acme', 'portal content apply content -o acme --prune'],
  )
    .option(
      '--prune',
      'archive items that have no file in the folder; applying the file again restores them',
    )
    .option(
      '--force',
      'overwrite items that were edited in the portal, and restore those that were archived there',
    )
    .action((folder: string, options) =>
      runChange(cli, folder, options, (result) => ({
        json: presentResult(result),
        text: describeApply(result),
      })),
    );

  addDataCommands(content, cli);

  addOrganizationCommand(content, 'pull <folder>', "write an organization's content to a folder", [
    'portal content pull content -o acme',
  ]).action((folder: string, options) =>
    cli.onOrganization(options, async (ctx) => {
      const target = cli.resolveTarget(folder);
      const files = await readContent(ctx);
      for (const [name, text] of Object.entries(files))
        await writeFile(path.join(target, name), text);
      const names = Object.keys(files);
      return {
        json: { files: names },
        text: `Wrote ${formatCount(names.length, 'file', 'files')} to ${folder}.`,
      };
    }),
  );
}

async function check(
  cli: Cli,
  folder: string,
  options: { organization?: string },
): Promise<{ mistakes: readonly Mistake[]; hints: string[] }> {
  if (options.organization === undefined) {
    const request = await readRequest(cli, folder);
    return withFileProgress(cli, () => checkFolder(request, request.dataFolder));
  }
  let found: { mistakes: readonly Mistake[]; hints: string[] } | undefined;
  const database = await cli.openDatabase();
  try {
    const ctx = await openContext(database.db, cli.readConfig(), options.organization);
    found = await apply(cli, ctx, folder, { dryRun: true, inspect: true }).then(
      ({ hints }) => ({ mistakes: [], hints }),
      (error: unknown) => {
        if (error instanceof ContentError) return { mistakes: error.mistakes, hints: [] };
        throw error;
      },
    );
  } finally {
    await database.close();
  }
  return found;
}

type ApplyOptions = Pick<ContentRequest, 'prune' | 'force' | 'dryRun' | 'inspect'>;

async function readRequest(cli: Cli, folder: string) {
  const resolved = cli.resolvePath(folder);
  return { ...(await readFolder(resolved)), dataFolder: dataFolderOf(resolved) };
}

async function apply(
  cli: Cli,
  ctx: Context,
  folder: string,
  { prune, force, dryRun, inspect }: ApplyOptions,
): Promise<ContentResult> {
  const config = cli.readConfig();
  // A dry run writes versions of the data files, too.
  cli.requireOwner(path.join(datasetFolderOf(config), ctx.organizationId));
  const { dataFolder, ...request } = await readRequest(cli, folder);
  const connections = openConnections(config.connections, config.engine);
  const scope = {
    datasetFolder: datasetFolderOf(config),
    files: await openFiles(ctx.db, config),
    dataFolder,
    connections,
    signal: cli.signal,
  };
  try {
    return await withFileProgress(cli, () =>
      applyContent(ctx, scope, { ...request, prune, force, dryRun, inspect }),
    );
  } finally {
    await connections.close();
  }
}

/** Runs diff or apply. Prints mistakes in the format of `check`. */
async function runChange(
  cli: Cli,
  folder: string,
  options: ApplyOptions & { organization: string },
  describe: (result: ContentResult) => Answer,
): Promise<void> {
  const work = async (ctx: Context): Promise<Answer> =>
    describe(await apply(cli, ctx, folder, options));
  const activity = options.dryRun ? undefined : ({ action: 'applyContent', subject: '' } as const);
  try {
    await cli.onOrganization(options, work, activity);
  } catch (error) {
    if (!(error instanceof ContentError) || cli.asJson) throw error;
    cli.exitCode = exitCodes.failed;
    await cli.answer({
      json: undefined,
      text: formatLines([
        ...error.mistakes.map(formatMistake),
        `${formatCount(error.mistakes.length, 'mistake', 'mistakes')}. Nothing was changed.`,
      ]),
    });
  }
}

/** Lines that a shown change adds and removes. The search takes time with their square. */
const maxEditLength = 2_000;

function formatChange({ change, item, stored, kind, slug, isConflict }: Change): string {
  const file = getFilePath({ kind, slug });
  const edited = change === 'restore' ? 'archived' : 'edited';
  const title = `${change} ${file}${isConflict ? ` (conflict: it was ${edited} in the portal)` : ''}`;
  const [before, after] = [stored?.text ?? '', item?.text ?? ''];
  if (change === 'archive' || before === after) return title;
  // The first four lines are a header, which repeats the title.
  const limit = before === '' ? {} : { maxEditLength };
  const patch = createPatch(file, before, after, '', '', { context: 2, ...limit });
  if (patch === undefined) return `${title}\n(too many lines differ to show them)`;
  return `${title}\n${patch.split('\n').slice(4).join('\n').trimEnd()}`;
}

function describeApply({ changes, hints }: ContentResult): string {
  const changed = changes.filter(({ change }) => change !== 'unchanged');
  const rows = changed.map((change) => [getFilePath(change), change.change, change.id]);
  return formatLines([
    formatTable(['FILE', 'CHANGE', 'ID'], rows, 'No changes.'),
    ...hints.map((hint) => `hint: ${hint}`),
  ]);
}

/** Replaces the file atomically. */
async function writeFile(file: string, text: string): Promise<void> {
  await fs.mkdir(path.dirname(file), { recursive: true });
  await fs.rm(`${file}.new`, { force: true });
  // A link of this name would lead to another file.
  await fs.writeFile(`${file}.new`, text, { flag: 'wx' });
  await fs.rename(`${file}.new`, file);
}
