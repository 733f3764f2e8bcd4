import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const front = fileURLToPath(new URL('chdb-front.mjs', import.meta.url));

/** Where `npm run test:deep` installs chdb. */
const packageFolder = fileURLToPath(
  new URL('../../../../node_modules/.chdb/node_modules/chdb', import.meta.url),
);

/** ClickHouse as a library, behind HTTP. */
export interface Chdb extends AsyncDisposable {
  port: number;
  /** Address of the connection. */
  url: string;
  /** Runs a statement without limits and returns its result as text. */
  run: (statement: string) => Promise<string>;
}

export async function startChdb(): Promise<Chdb> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-chdb-'));
  const child = spawn(process.execPath, [front, packageFolder, folder], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [data] = (await Promise.race([
    once(child.stdout!, 'data'),
    once(child, 'exit').then(() => {
      throw new Error('chdb did not start. Install it with `npm run test:deep`.');
    }),
  ])) as [Buffer];
  const port = Number(data);
  return {
    port,
    url: `clickhouse://127.0.0.1:${port}/default`,
    run: async (statement) => {
      const response = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        body: statement,
      });
      const answer = await response.text();
      if (response.ok) return answer;
      throw new Error(answer);
    },
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      fs.rmSync(folder, { recursive: true });
    },
  };
}
