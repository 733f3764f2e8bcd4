import { spawn } from 'node:child_process';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { constants, createGunzip, createGzip } from 'node:zlib';

import { ReportError, type ExportedTile } from '#platform';
import { QueryTurns, type Owner } from '#report-engine';
import { lowerPriority } from '#server-kit';

import { queues } from '../limits/table.ts';

/** The program beside this file: TypeScript from sources, JavaScript when built. */
const program = fileURLToPath(
  new URL(`xlsx-process${path.extname(import.meta.url)}`, import.meta.url),
);

/** Environment variables that the process inherits. The others may hold secrets. */
const inheritedVariables = ['PATH', 'TZ', 'LD_LIBRARY_PATH', 'NODE_OPTIONS'];

/** Enough for the largest workbook. */
const memoryMb = 1_024;

/** Several times what the largest workbook takes. Others wait for the process. */
const maxSeconds = 60;

const turns = new QueryTurns(queues.workbooks);

/**
 * Writes a tile as an Excel workbook, in a separate process. Computes all rows before it queues for the
 * process, so that slow queries do not delay other workbooks.
 *
 * @param timeLimitMs of the process, in milliseconds, from its start
 * @throws `ReportError`, or the reason of `signal`
 */
export async function writeXlsx(
  owner: Owner,
  tile: ExportedTile,
  signal: AbortSignal,
  timeLimitMs = maxSeconds * 1_000,
): Promise<Buffer> {
  const lines = await compress(Readable.from(writeLines(tile)));
  return turns.run(owner, signal, async () => {
    const timeout = AbortSignal.timeout(timeLimitMs);
    try {
      return await runProcess(lines, AbortSignal.any([signal, timeout]));
    } catch (error) {
      if (!timeout.aborted || signal.aborted) throw error;
      throw new ReportError('timeout', `The workbook took longer than ${timeLimitMs} ms.`);
    }
  });
}

/** Compresses the rows to about a tenth of their size. */
async function compress(lines: Readable): Promise<Buffer> {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const [file] = await Promise.all([buffer(gzip), pipeline(lines, gzip)]);
  return file;
}

async function runProcess(lines: Buffer, signal: AbortSignal): Promise<Buffer> {
  const child = spawn(process.execPath, [`--max-old-space-size=${memoryMb}`, program], {
    env: Object.fromEntries(inheritedVariables.map((name) => [name, process.env[name]])),
    stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  lowerPriority(child);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  try {
    const [code, file, isSent] = await Promise.all([
      ended,
      buffer(child.stdio[3] as Readable),
      // A process that ends early breaks the pipe to it, and its exit code says more than that.
      pipeline(Readable.from([lines]), createGunzip(), child.stdin!).then(
        () => true,
        () => false,
      ),
    ]);
    if (code === 0 && isSent) return file;
    throw new ReportError('crashed', `The workbook process exited with code ${code}.`);
  } finally {
    child.kill('SIGKILL');
  }
}

async function* writeLines({ columns, rows }: ExportedTile): AsyncGenerator<string> {
  yield `${JSON.stringify(columns)}\n`;
  for await (const batch of rows) yield `${JSON.stringify(batch)}\n`;
}
