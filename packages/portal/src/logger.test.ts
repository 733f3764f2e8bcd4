import { spawnSync } from 'node:child_process';
import fs from 'node:fs';

import { describe, expect, it } from 'vitest';

import { generateApiKey } from './api-keys/format.ts';
import { createLogger } from './logger.ts';
import { createToken } from './secrets.ts';

function log(write: (logger: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger('info', { write: (line) => lines.push(line) }));
  for (const line of lines) JSON.parse(line);
  return lines.join('');
}

describe('a log line', () => {
  it.each([
    ['x-api-key', 'short'],
    ['authorization', 'Basic dTpw'],
    ['cookie', 'sid=1'],
    ['set-cookie', 'sid=2'],
    ['password', 'hunter2'],
    ['apiKey', 'k-1'],
    ['token', 't-1'],
    ['bearer', 'b-1'],
    ['connectionString', 'postgres://u:p@h/d'],
  ])('has no %s, at the top level or inside an object', (field, value) => {
    const text = log((logger) => {
      logger.info({ [field]: value });
      logger.info({ headers: { [field]: value } });
      logger.info({ req: { headers: { [field]: value } } });
      logger.error({ err: Object.assign(new Error('x'), { config: { [field]: value } }) });
      logger.error({ err: { config: { headers: { [field]: value } } } });
    });
    expect(text).not.toContain(value);
    expect(text.match(/\[redacted\]/g)).toHaveLength(5);
  });

  it.each([
    ['an API key', generateApiKey()],
    ['a token', createToken()],
  ])('has no %s in a message, a URL, an error or a stack', (_what, secret) => {
    const error = new Error(`refused\n${secret}\t\u001b${secret}`);
    const text = log((logger) => {
      logger.info(`sent ${secret}`);
      logger.info({ url: `/identity?token=${secret}&x=1`, encoded: `token%3D${secret}` });
      logger.error({ err: error }, 'failed');
    });
    expect(text).not.toContain(secret);
    expect(text).toContain('refused');
  });

  it('has no password of a database URL', () => {
    for (const scheme of ['postgres', 'postgresql']) {
      const address = `${scheme}://portal:hunter2@db:5432/x`;
      const text = log((logger) => logger.info(`cannot reach ${address}`));
      expect(JSON.parse(text).msg).toBe(`cannot reach ${scheme}://portal:[redacted]@db:5432/x`);
    }
  });

  it('keeps IDs and paths', () => {
    const id = '0d9c4b3e-6a52-4a0c-9a53-6f3a1f8f3c11';
    const path = `/organizations/${id}/reports/${id}`;
    expect(log((logger) => logger.info({ id, path }, 'opened'))).toContain(path);
  });
});

describe('the log of a process', () => {
  /** Runs statements with a `logger` in a process of its own. */
  const run = (statements: string, output: number | 'pipe') => {
    const { href } = new URL('./logger.ts', import.meta.url);
    const program = `import { createLogger } from '${href}'; const logger = createLogger('info'); ${statements}`;
    return spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', output, 'pipe'],
      encoding: 'utf8',
    });
  };

  it('has the last line before the process is killed', () => {
    const { stdout, signal } = run(
      "logger.info('one'); logger.info('last'); process.kill(process.pid, 'SIGKILL');",
      'pipe',
    );
    expect(signal).toBe('SIGKILL');
    expect(stdout).toContain('"msg":"last"');
  });

  it('does not end the process on a full disk', () => {
    const full = fs.openSync('/dev/full', 'w');
    const { status, stderr } = run(
      "logger.info('one'); logger.info('two'); setTimeout(() => process.exit(3), 50);",
      full,
    );
    fs.closeSync(full);
    expect(status).toBe(3);
    expect(stderr.match(/The log cannot be written \(ENOSPC\)/g)).toHaveLength(1);
  });
});
