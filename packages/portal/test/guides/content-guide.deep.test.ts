import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { createTemporaryFolder, findFreePort } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { buildProgram, startPortalProcess } from '../support/processes.ts';
import { open, readSession, view } from '../support/viewer.ts';

const guides = new URL('../../../docs/guides/', import.meta.url);
const guide = ['content', 'content-pipeline']
  .map((name) => fs.readFileSync(new URL(`${name}.md`, guides), 'utf8'))
  .join('\n');

/** The code blocks of the guides by language, with the portal's port. */
const readBlocks = (port: number) =>
  [...guide.replaceAll(':4000', `:${port}`).matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(
    ([, language, code]) => ({ language: language!, code: code! }),
  );

it('the content guide leads from a CSV to a report with roles, a look-up and a pipeline', async () => {
  const folder = createTemporaryFolder('portal-guide-');
  const port = await findFreePort();
  const portal = `portal() { "${process.execPath}" "${await buildProgram()}" "$@"; }`;
  const state = path.join(folder, 'state.sh');
  const run = async (code: string): Promise<string> => {
    // Variables and the folder stay for the next block, as in a terminal.
    const lines = ['set -euo pipefail', portal, `[ -f ${state} ] && source ${state}`, code];
    const script = [
      ...lines,
      `declare -p key report organization CONTENT_KEY 2> /dev/null > ${state} || true`,
    ];
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script.join('\n')], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        PORTAL_DATA_DIR: path.join(folder, 'data'),
        REPORTS_URL: `http://localhost:${port}`,
      },
    });
    return stdout;
  };
  const blocks = readBlocks(port);
  const outputs: string[] = [];
  const shown: { code: string; actual: string | undefined }[] = [];
  let isServing = false;
  for (const { language, code } of blocks) {
    if (language === 'sh') {
      const database = { dataDir: path.join(folder, 'data'), databaseUrl: undefined };
      const server = await startPortalProcess(database, { port });
      isServing = true;
      onTestFinished(async () => {
        await server.stop();
        fs.rmSync(folder, { recursive: true });
      });
    } else if (language === 'bash') outputs.push(await run(code));
    else if (language === 'yaml' || language === 'mjs') {
      const name = /^(?:#|\/\/) (\S+)\n/.exec(code)![1]!;
      fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      fs.writeFileSync(path.join(folder, name), code);
    } else {
      const file = path.join(folder, 'content/datasets/umsatz.yaml');
      const actual = code.startsWith('name:') ? fs.readFileSync(file, 'utf8') : outputs.at(-1);
      shown.push({ code, actual });
    }
  }
  for (const { code, actual } of shown) expect(actual).toContain(code);
  expect(isServing).toBe(true);

  const rowCount = async (url: string): Promise<number> => {
    const { searchParams, origin } = new URL(url);
    const reportId = searchParams.get('returnUrl')!.split('/').at(-1)!;
    const { bearer } = readSession(await open(url));
    return (await view(origin, bearer, reportId)).json().rowCount as number;
  };
  const minted = outputs.find((output) => output.includes('embedUrl'))!;
  const mint = blocks.find(({ code }) => code.includes('identity/url'))!.code;
  // The role was West when the URL was minted, and now follows the table.
  const [organization] = fs.readdirSync(path.join(folder, 'data/datasets'));
  expect(fs.readdirSync(path.join(folder, 'data/datasets', organization!))).toContain(
    'umsatz.parquet',
  );
  const { embedUrl } = JSON.parse(minted) as { embedUrl: string };
  expect(await rowCount(embedUrl)).toBe(5);
  const roles = path.join(folder, 'content/data/managers.csv');
  fs.writeFileSync(roles, 'Email,Region\nWANDA@acme.example,West\n');
  await run('portal content apply -o acme content');
  expect(await rowCount((JSON.parse(await run(mint)) as { embedUrl: string }).embedUrl)).toBe(3);
}, 300_000);
