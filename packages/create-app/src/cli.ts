#!/usr/bin/env node
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';

import { createApp } from './create-app.ts';
import { frameworks } from './frameworks.ts';
import { UsageError } from './usage-error.ts';

const names = Object.keys(frameworks);
const usage = `Usage: npm create @portal-embed/app FOLDER -- --framework ${names.join('|')}

Writes a small application that shows the reports of a portal to its signed-in users.

  --framework NAME  ${names.join(', ')}. Default: the command asks
  --packs FOLDER    copy the packages of Portal Embed from this folder of tarballs, which npm run pack
                    writes, instead of installing them from the registry
  --help            show this text
`;

const registryWarning = `
The packages of Portal Embed are not published yet. If npm install fails with E404, run npm run pack in
a clone of Portal Embed, delete this folder, and run this command again with --packs and the folder packs
of the clone.
`;

/** Mistakes that Node finds itself have a code. */
function isUsageError(error: unknown): error is Error {
  const { code } = error as NodeJS.ErrnoException;
  return error instanceof UsageError || !!code?.startsWith('ERR_PARSE_ARGS');
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      framework: { type: 'string' },
      packs: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  if (positionals.length > 1)
    throw new UsageError(`Pass one folder, not ${positionals.join(' and ')}.`);
  const folder = positionals[0] ?? (await ask('Folder', 'my-host', 'The folder is missing.'));
  const framework =
    values.framework ??
    (await ask(
      `Framework (${names.join(', ')})`,
      names[0]!,
      'The framework is missing. Add --framework.',
    ));
  createApp({ folder, framework, packs: values.packs });
  process.stdout.write(describeNextSteps(folder, framework, values.packs));
}

/** Asks in a terminal. Elsewhere, a missing value is a mistake. */
async function ask(question: string, standard: string, advice: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UsageError(advice);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(`${question} [${standard}]: `)).trim() || standard;
  } finally {
    terminal.close();
  }
}

function describeNextSteps(folder: string, framework: string, packs: string | undefined): string {
  const shown = path.relative('.', folder) || '.';
  return `Wrote an application with ${framework} to ${shown}. Next:

  cd ${shown}
  npm install
  npm test           # tests with a fake portal
  npm run portal     # starts a demo portal and writes .env; leave it running

Then, in a second terminal in the same folder:

  npm run dev        # starts the application at http://localhost:3000

session.js is a placeholder for your sign-in. policy.js sets the portal, and the rows that each user may
see.
${packs === undefined ? registryWarning : ''}`;
}

try {
  await main();
} catch (error) {
  if (!isUsageError(error)) throw error;
  process.stderr.write(`create-app: ${error.message}\n\n${usage}`);
  process.exitCode = 2;
}
