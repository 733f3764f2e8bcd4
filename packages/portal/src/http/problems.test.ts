import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import express from 'express';
import { expect, it, vi } from 'vitest';

import { createLogger } from '../logger.ts';
import { newToken } from '../secrets.ts';
import { logRequests } from './logging.ts';
import { answerErrors } from './problems.ts';

it('an error in the middle of an answer breaks it off, and is told to the log alone, redacted', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {});
  const lines: string[] = [];
  const secret = newToken();
  const app = express();
  app.set('env', 'production');
  app.use(logRequests(createLogger('info', { write: (line) => lines.push(line) })));
  app.get('/', async (_req, res) => {
    res.write('half');
    await Promise.reject(new Error(`no ${secret}`));
  });
  app.use(answerErrors);
  const server = app.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    await expect(answer.text()).rejects.toThrow('terminated');
    await expect.poll(() => lines.length).toBe(2);
    expect(lines[0]).toContain('answer broken off');
    expect(lines[1]).toContain('request aborted');
    expect(lines.join('')).not.toContain(secret);
    expect(print).not.toHaveBeenCalled();
  } finally {
    print.mockRestore();
    server.close();
  }
});
