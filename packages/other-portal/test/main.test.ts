import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { typescriptChildren } from '../../tooling/vitest.children.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

it('npm start prints the settings of a portal that answers', async () => {
  const env = { ...process.env, ...typescriptChildren, OTHER_PORTAL_PORT: '0' };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  try {
    const settings: Record<string, string> = {};
    for await (const line of createInterface(child.stdout)) {
      const [name, value] = line.split('=');
      settings[name!] = value!;
      if (name === 'SALES_DATASET_ID') break;
    }
    const { REPORTS_URL, ACME_API_KEY, SALES_REPORT_ID } = settings;
    const answer = await fetch(`${REPORTS_URL}/api/report`, {
      headers: { 'x-api-key': ACME_API_KEY! },
    });
    const { data } = (await answer.json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toContain(SALES_REPORT_ID);
  } finally {
    child.kill();
    await exited;
  }
});
