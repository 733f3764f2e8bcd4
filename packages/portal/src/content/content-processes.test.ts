import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

import { costlyTexts } from 'test-support/costly-content';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ContentProcesses, type Author } from './content-processes.ts';

const file = 'reports/sales.yaml';
const text = 'name: Sales\nworkspace: Sales\ndataset: sales\npages: []\n';

const authorOf = (organizationId: string, id: string): Author => ({
  organizationId,
  actor: { kind: 'user', id, email: `${id}@acme.example`, role: 2 },
});
const ada = authorOf('acme', 'ada');

/** The processes that work on content, from /proc. */
const listProcesses = (): number[] =>
  fs
    .readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((pid) => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('content-process'));

/** A check of texts that takes longer than any limit. */
const slow = {
  files: [{ file, text: costlyTexts['emphasis']! }],
  stored: [],
  columns: new Map(),
  unreadable: ['orders'],
  findings: [],
};

let worker: ContentProcesses;
beforeEach(() => {
  worker = new ContentProcesses();
});
afterEach(() => worker.close());

const parse = (author: Author = ada) => worker.run(author, 'parse', { file, text });

describe('a process that checks content', () => {
  it('starts with the first text and takes the next ones', async () => {
    expect(listProcesses()).toEqual([]);
    const { mistakes } = await parse();
    expect(mistakes).toMatchObject([{ file, line: 4, message: 'pages is empty' }]);
    const started = listProcesses();
    expect(started).toHaveLength(1);
    await parse();
    expect(listProcesses()).toEqual(started);
  });

  it('a process that crashes while it waits is replaced', async () => {
    await parse();
    const [pid] = listProcesses();
    process.kill(pid!, 'SIGKILL');
    await expect.poll(() => fs.existsSync(`/proc/${pid}`)).toBe(false);
    expect((await parse()).mistakes).toHaveLength(1);
  });

  it('a text whose process crashes is refused as a failure of the portal', async () => {
    const refused = worker.run(ada, 'check', slow).catch((error: unknown) => error);
    await expect.poll(listProcesses).toHaveLength(1);
    process.kill(listProcesses()[0]!, 'SIGKILL');
    expect(await refused).toMatchObject({ code: 'overloaded', retryAfter: 1 });
    expect((await parse()).mistakes).toHaveLength(1);
  });

  it('a text that takes too long is refused, and its process ends', async () => {
    const impatient = new ContentProcesses({ processorMs: 1_500 });
    await expect(impatient.run(ada, 'check', slow)).rejects.toMatchObject({
      code: 'invalid_content',
      mistakes: [{ file, message: expect.stringContaining('too much time or memory; shorten') }],
    });
    expect(listProcesses()).toEqual([]);
    await impatient.close();
  });

  it('a check that waits for the processor is not refused as too large', async () => {
    const impatient = new ContentProcesses({ processorMs: 2_000 });
    await impatient.run(ada, 'parse', { file, text });
    const [pid] = listProcesses();
    process.kill(pid!, 'SIGSTOP');
    const parsed = impatient.run(ada, 'parse', { file, text });
    await delay(3_000);
    process.kill(pid!, 'SIGCONT');
    expect((await parsed).mistakes).toHaveLength(1);
    await impatient.close();
  });

  it('a check that is not finished in time answers overloaded, and its process ends', async () => {
    const impatient = new ContentProcesses({ elapsedMs: 500 });
    await expect(impatient.run(ada, 'check', slow)).rejects.toMatchObject({
      code: 'overloaded',
      message: expect.stringContaining('The machine is too busy'),
    });
    expect(listProcesses()).toEqual([]);
    await impatient.close();
  });

  it('one organization works on one text at a time and does not hold up another one', async () => {
    const gone = new AbortController();
    const ended: string[] = [];
    const checks = ['ada', 'bob', 'bob'].map((id) =>
      worker
        .run(authorOf('acme', id), 'check', slow, gone.signal)
        .finally(() => ended.push(id))
        .catch(() => 'aborted'),
    );
    expect((await parse(authorOf('globex', 'eve'))).mistakes).toHaveLength(1);
    expect(ended).toEqual([]);
    expect(listProcesses()).toHaveLength(2);
    gone.abort();
    expect(await Promise.all(checks)).toEqual(['aborted', 'aborted', 'aborted']);
  });

  it('closing ends all processes', async () => {
    await parse();
    await worker.close();
    expect(listProcesses()).toEqual([]);
  });
});
