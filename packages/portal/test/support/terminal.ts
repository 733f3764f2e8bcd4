import { spawn } from 'node:child_process';
import { once } from 'node:events';

import type { TestDatabase } from './database.ts';
import { buildProgram } from './processes.ts';

/** Runs a command of the built portal on a terminal of its own, and types `answer` after the question. */
export async function runOnTerminal(
  database: Pick<TestDatabase, 'dataDir' | 'databaseUrl'>,
  command: string,
  answer: string,
): Promise<{ code: number; output: string }> {
  const program = await buildProgram();
  const child = spawn(
    'script',
    ['-qec', `${process.execPath} ${program} ${command}`, '/dev/null'],
    {
      env: {
        PATH: process.env['PATH'],
        PORTAL_DATA_DIR: database.dataDir,
        PORTAL_DATABASE_URL: database.databaseUrl ?? '',
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  let output = '';
  let isAnswered = false;
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (isAnswered || !output.includes('[y/N]')) return;
    isAnswered = true;
    child.stdin.write(answer);
  });
  const [code] = await once(child, 'close');
  return { code: code as number, output };
}
