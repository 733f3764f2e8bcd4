import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { DuckDBInstance } from '@duckdb/node-api';
import { pino } from 'pino';
import { createLogCollector } from 'test-support';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';

import { ReportError } from '#platform';

import { EngineProcess } from './engine-process.ts';
import { Engine, computeRestartPause, type EngineOptions } from './engine.ts';
import type { DatasetFiles, QueryResult } from './messages.ts';

const limits = { queries: 2, userQueries: 2, threads: 1, memoryMb: 128 };
const owner = { organizationId: 'acme', userId: 'west' };
const live = new AbortController().signal;

let dataset: DatasetFiles;
beforeAll(async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'engine-'));
  const file = path.join(folder, 'sales.parquet');
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`COPY (SELECT unnest([1, 2]) AS Sales) TO '${file}' (FORMAT parquet)`);
  connection.closeSync();
  dataset = { paths: [file], version: '1' };
  return () => fs.rmSync(folder, { recursive: true });
});

/** Why a query failed. */
const reasonOf = (query: Promise<QueryResult>): Promise<string> =>
  query.then(
    () => 'it did not fail',
    (error: Error) => (error instanceof ReportError ? error.reason : error.name),
  );

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Runs for days and uses little memory. */
const endless =
  'SELECT count(*) FROM range(100000) a, range(100000) b, range(100000) c WHERE hash(a.range, b.range, c.range) = 7';

/** Needs more memory than the limit. */
const hungry = 'SELECT len(list(repeat(md5(CAST(range AS VARCHAR)), 100))) FROM range(1000000)';

function startEngine(options: Partial<EngineOptions> = {}) {
  const { log, destination } = createLogCollector();
  const engine = new Engine({
    ...limits,
    logger: pino({ level: 'debug' }, destination),
    ...options,
  });
  onTestFinished(() => engine.close());
  const query = (text: string, signal = live) =>
    engine.query(owner, { dataset, text, values: [] }, signal);
  return { engine, query, log };
}

const useFakeTimeouts = () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
};

/** The engine processes that this process has started, from /proc. */
const childProcesses = (): number[] =>
  fs
    .readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
    .map(Number)
    .filter((pid) => readProcess(pid, 'cmdline').includes('/engine/process.'));

const readProcess = (pid: number, file: string): string => {
  try {
    return fs.readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};

const readLink = (file: string): string => {
  try {
    return fs.readlinkSync(file);
  } catch {
    return '';
  }
};

/** Whether a thread of the process is running. An idle process has none running. */
const isComputing = (pid: number): boolean =>
  fs
    .readdirSync(`/proc/${pid}/task`)
    .some((task) => readProcess(pid, `task/${task}/stat`).split(') ')[1]?.startsWith('R'));

describe('an engine process', () => {
  it('one engine process starts with the first query and serves the next ones', async () => {
    const { query } = startEngine();
    expect(childProcesses()).toEqual([]);
    expect((await query('SELECT sum(Sales) AS s FROM dataset')).rows).toEqual([{ s: '3' }]);
    const started = childProcesses();
    expect(started).toHaveLength(1);
    expect((await query('SELECT count(*) AS n FROM dataset')).rows).toEqual([{ n: '2' }]);
    expect(childProcesses()).toEqual(started);
  });

  it('killing an engine process fails its query and no other', async () => {
    const { query, log } = startEngine();
    await query('SELECT 1');
    const [first] = childProcesses();
    const killed = query(endless).catch((error: unknown) => error);
    await expect.poll(() => isComputing(first!)).toBe(true);
    const other = query('SELECT count(*) AS n FROM dataset, range(3000000)');
    await expect.poll(() => childProcesses().length).toBe(2);
    process.kill(first!, 'SIGKILL');
    expect(await killed).toMatchObject({
      reason: 'crashed',
      message: 'The engine process ended during the query.',
    });
    expect((await other).rows).toEqual([{ n: '6000000' }]);
    expect((await query('SELECT sum(Sales) AS s FROM dataset')).rows).toEqual([{ s: '3' }]);
    const ended = log.map((line) => JSON.parse(line)).filter(({ level }) => level === 50);
    expect(ended).toMatchObject([
      { engine: first, code: null, signal: 'SIGKILL', msg: 'engine process ended' },
    ]);
  });

  it('an idle engine process that is killed is replaced, and not ended again', async () => {
    const { engine, query, log } = startEngine();
    await query('SELECT 1');
    const [first] = childProcesses();
    process.kill(first!, 'SIGKILL');
    await expect.poll(() => log.join('')).toContain('engine process ended');
    expect((await query('SELECT sum(Sales) AS s FROM dataset')).rows).toEqual([{ s: '3' }]);
    const close = vi.spyOn(EngineProcess.prototype, 'close');
    onTestFinished(() => close.mockRestore());
    await engine.close();
    expect(close).toHaveBeenCalledOnce();
  });

  it('after two crashes in a row, the next engine process starts after a pause', async () => {
    const { engine, query } = startEngine();
    const crashed = [reasonOf(query(endless)), reasonOf(query(endless))];
    await expect.poll(() => childProcesses().filter(isComputing).length).toBe(2);
    for (const pid of childProcesses()) process.kill(pid, 'SIGKILL');
    expect(await Promise.all(crashed)).toEqual(['crashed', 'crashed']);
    const next = query('SELECT sum(Sales) AS s FROM dataset');
    // No timer fires here, so a process that starts without a pause has started by now.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect([engine.usage().running, childProcesses()]).toEqual([1, []]);
    expect((await next).rows).toEqual([{ s: '3' }]);
  });

  it('the pause before a restart doubles with each crash, up to five seconds', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 6, 7, 50].map(computeRestartPause);
    expect(pauses).toEqual([0, 0, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  });

  it('a query that waits for a restart ends when it is aborted', async () => {
    const { engine, query } = startEngine();
    const crashed = [reasonOf(query(endless)), reasonOf(query(endless))];
    await expect.poll(() => childProcesses().filter(isComputing).length).toBe(2);
    for (const pid of childProcesses()) process.kill(pid, 'SIGKILL');
    await Promise.all(crashed);
    const gone = new AbortController();
    const waiting = reasonOf(query('SELECT 1', gone.signal));
    await new Promise(setImmediate);
    gone.abort();
    expect(await waiting).toBe('AbortError');
    expect([engine.usage().running, childProcesses()]).toEqual([0, []]);
  });

  it('a crash after a successful query does not delay the next engine process', async () => {
    const { query } = startEngine();
    const crash = async () => {
      const crashed = reasonOf(query(endless));
      await expect.poll(() => childProcesses().filter(isComputing).length).toBe(1);
      for (const pid of childProcesses()) process.kill(pid, 'SIGKILL');
      expect(await crashed).toBe('crashed');
    };
    await crash();
    await query('SELECT 1');
    await crash();
    const next = query('SELECT sum(Sales) AS s FROM dataset');
    // No timer fires here, so a process that starts after a pause has not started yet.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(childProcesses()).toHaveLength(1);
    expect((await next).rows).toEqual([{ s: '3' }]);
  });

  it('a query that exceeds the memory limit fails, and the next one runs', async () => {
    const { query } = startEngine();
    const other = query('SELECT count(*) AS n FROM dataset, range(3000000)');
    await expect(query(hungry)).rejects.toMatchObject({ reason: 'out_of_memory' });
    expect((await other).rows).toEqual([{ n: '6000000' }]);
    expect((await query('SELECT sum(Sales) AS s FROM dataset')).rows).toEqual([{ s: '3' }]);
  });

  it('a query that exceeds the memory limit writes nothing to the disk', async () => {
    const { query } = startEngine({ memoryMb: 64 });
    const sorted = query(`
      SELECT count(*) FROM (SELECT md5(CAST(range AS VARCHAR)) AS hash FROM range(3000000)
      ORDER BY hash) WHERE hash > '0'`);
    expect(await reasonOf(sorted)).toBe('out_of_memory');
  });

  it('a query is stopped after 15 seconds, and its process survives', async () => {
    const { query } = startEngine();
    await query('SELECT 1');
    const [pid] = childProcesses();
    useFakeTimeouts();
    const stopped = query(endless).catch((error: unknown) => error);
    await expect.poll(() => isComputing(pid!)).toBe(true);
    vi.advanceTimersByTime(14_999);
    expect(isComputing(pid!)).toBe(true);
    vi.advanceTimersByTime(1);
    expect(await stopped).toMatchObject({
      reason: 'timeout',
      message: 'The query took longer than 15000 ms.',
    });
    expect(childProcesses()).toEqual([pid]);
    await expect.poll(() => isComputing(pid!)).toBe(false);
  });

  it('an aborted query is stopped, and its process survives', async () => {
    const { query } = startEngine();
    const gone = new AbortController();
    await query('SELECT 1');
    const [pid] = childProcesses();
    // Fake timers keep the query timeout from stopping the query.
    useFakeTimeouts();
    const stopped = reasonOf(query(endless, gone.signal));
    await expect.poll(() => isComputing(pid!)).toBe(true);
    gone.abort();
    expect(await stopped).toBe('AbortError');
    expect((await query('SELECT sum(Sales) AS s FROM dataset')).rows).toEqual([{ s: '3' }]);
    expect(childProcesses()).toEqual([pid]);
  });

  it('a query that is aborted as soon as it is sent does not run', async () => {
    const { query } = startEngine();
    const abort = new AbortController();
    const aborted = query('SELECT 1 AS one', abort.signal);
    abort.abort();
    expect(await reasonOf(aborted)).toBe('AbortError');
  });

  it('can stop one aborted query after another, and no later query', async () => {
    const { query } = startEngine();
    await query('SELECT 1');
    const [pid] = childProcesses();
    useFakeTimeouts();
    for (let round = 0; round < 2; round++) {
      const gone = new AbortController();
      let outcome: string | undefined;
      void reasonOf(query(endless, gone.signal)).then((reason) => (outcome = reason));
      await expect.poll(() => isComputing(pid!)).toBe(true);
      gone.abort();
      await expect.poll(() => outcome).toBe('AbortError');
    }
    // Long enough that a repeated interrupt would stop it.
    const slow = await query('SELECT count(*) AS n FROM dataset, range(30000000)');
    expect(slow.rows).toEqual([{ n: '60000000' }]);
    expect(childProcesses()).toEqual([pid]);
  });

  it('that stopped an aborted query is not killed later', async () => {
    const { query } = startEngine();
    const gone = new AbortController();
    await query('SELECT 1');
    const [pid] = childProcesses();
    useFakeTimeouts();
    const stopped = reasonOf(query(endless, gone.signal));
    await expect.poll(() => isComputing(pid!)).toBe(true);
    gone.abort();
    expect(await stopped).toBe('AbortError');
    vi.advanceTimersByTime(1_000);
    expect((await query('SELECT sum(Sales) AS s FROM dataset')).rows).toEqual([{ s: '3' }]);
    expect(childProcesses()).toEqual([pid]);
  });

  it('a signal that aborts after its query has ended does not stop the engine process', async () => {
    const { query } = startEngine();
    const ended = new AbortController();
    useFakeTimeouts();
    await query('SELECT 1', ended.signal);
    const [pid] = childProcesses();
    ended.abort();
    // The limits of the query and of an interrupt have both passed.
    vi.advanceTimersByTime(16_000);
    expect((await query('SELECT sum(Sales) AS s FROM dataset')).rows).toEqual([{ s: '3' }]);
    expect(childProcesses()).toEqual([pid]);
  });

  it('that ignores an interrupt is killed', async () => {
    const { query } = startEngine();
    await query('SELECT 1');
    const [pid] = childProcesses();
    process.kill(pid!, 'SIGSTOP');
    useFakeTimeouts();
    const stopped = reasonOf(query('SELECT 1'));
    await new Promise(setImmediate);
    vi.advanceTimersByTime(15_000);
    expect(isAlive(pid!)).toBe(true);
    vi.advanceTimersByTime(1_000);
    expect(await stopped).toBe('timeout');
    await expect.poll(() => isAlive(pid!)).toBe(false);
  });

  it('runs only SELECT statements and reads no other file', async () => {
    const { query } = startEngine();
    const other = path.join(path.dirname(dataset.paths[0]!), 'other.csv');
    fs.writeFileSync(other, 'Sales\n99\n');
    const before = fs.readFileSync(dataset.paths[0]!);
    const attempts = [
      `COPY (SELECT 1) TO '${path.dirname(dataset.paths[0]!)}/written.parquet'`,
      `COPY (SELECT 1) TO '${dataset.paths[0]!}'`,
      'CREATE TABLE t AS SELECT 1',
      'SET threads = 64',
      `SELECT * FROM read_csv('${other}')`,
      `SELECT * FROM read_text('/etc/hostname')`,
      `SELECT 1; SELECT 2`,
    ];
    for (const text of attempts)
      expect([text, await reasonOf(query(text))]).toEqual([text, 'failed']);
    await expect(query('SET threads = 64')).rejects.toThrow(
      'The engine runs SELECT statements only.',
    );
    expect(fs.readdirSync(path.dirname(dataset.paths[0]!)).toSorted()).toEqual([
      'other.csv',
      'sales.parquet',
    ]);
    expect(fs.readFileSync(dataset.paths[0]!)).toEqual(before);
  });

  it('a query uses the configured number of threads', async () => {
    const { query } = startEngine({ threads: 3 });
    const { rows } = await query("SELECT current_setting('threads') AS threads");
    expect(rows).toEqual([{ threads: '3' }]);
  });

  it('loads no extensions and keeps its settings', async () => {
    const { query } = startEngine();
    const { rows } = await query(`
      SELECT current_setting('autoinstall_known_extensions') AS installs,
        current_setting('autoload_known_extensions') AS loads,
        current_setting('lock_configuration') AS locked`);
    expect(rows).toEqual([{ installs: false, loads: false, locked: true }]);
  });

  it('closes its dataset before it opens another, and after an error', async () => {
    const { engine, query } = startEngine({ threads: 3 });
    await query('SELECT 1');
    const [pid] = childProcesses();
    const countOpen = () => ({
      files: fs
        .readdirSync(`/proc/${pid}/fd`)
        .filter(
          (name) => readLink(`/proc/${pid}/fd/${name}`) === fs.realpathSync(dataset.paths[0]!),
        ).length,
      threads: fs.readdirSync(`/proc/${pid}/task`).length,
    });
    const before = countOpen();
    expect(before.files).toBe(1);
    for (const version of ['2', '3', '4'])
      await engine.query(
        owner,
        { dataset: { ...dataset, version }, text: 'SELECT 1', values: [] },
        live,
      );
    expect(childProcesses()).toEqual([pid]);
    await expect.poll(countOpen).toEqual(before);
    // Some errors make an instance of DuckDB unusable.
    expect(await reasonOf(query('SELECT nowhere'))).toBe('failed');
    expect(countOpen().files).toBe(0);
  });

  it('reads a file that was removed and stored again under its name', async () => {
    const { engine } = startEngine();
    const file = path.join(path.dirname(dataset.paths[0]!), 'again.parquet');
    const again = { paths: [file], version: 'again' };
    const text = 'SELECT sum(Sales) AS s FROM dataset';
    for (let time = 0; time < 2; time += 1) {
      fs.rmSync(file, { force: true });
      fs.copyFileSync(dataset.paths[0]!, file);
      const { rows } = await engine.query(owner, { dataset: again, text, values: [] }, live);
      expect(rows).toEqual([{ s: '3' }]);
    }
  });

  it('that the portal ends gets no further query and is not a crash', async () => {
    const exits: boolean[] = [];
    const logger = pino({ level: 'silent' });
    const ended = new EngineProcess(limits, logger, (isCrash) => exits.push(isCrash));
    await ended.run({ dataset, text: 'SELECT 1', values: [] }, 15_000, live);
    const closed = ended.close();
    // Until it exits, it must not get another query.
    expect([exits, ended.isAlive]).toEqual([[], false]);
    await closed;
    expect([exits, ended.isAlive]).toEqual([[false], false]);
  });

  it('a query for an engine process that has ended fails at once', async () => {
    const ended = new EngineProcess(limits, pino({ level: 'silent' }), () => {});
    await ended.close();
    let reason: string | undefined;
    const query = { dataset, text: 'SELECT 1', values: [] };
    void reasonOf(ended.run(query, 15_000, live)).then((failed) => (reason = failed));
    await expect.poll(() => reason).toBe('crashed');
  });

  it('a query whose engine process cannot start fails, and the next one runs', async () => {
    const { query, log } = startEngine({ queries: 1 });
    const node = process.execPath;
    onTestFinished(() => {
      process.execPath = node;
    });
    process.execPath = '/nowhere/node';
    let reason: string | undefined;
    void reasonOf(query('SELECT 1')).then((failed) => (reason = failed));
    await expect.poll(() => reason).toBe('crashed');
    expect(log.join('')).toContain('engine process failed');
    process.execPath = node;
    expect((await query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('does not inherit the portal’s settings', async () => {
    process.env['PORTAL_DATABASE_URL'] = 'postgres://portal:secret@db/portal';
    onTestFinished(() => {
      delete process.env['PORTAL_DATABASE_URL'];
    });
    const { query } = startEngine();
    await query('SELECT 1');
    expect(readProcess(childProcesses()[0]!, 'environ')).not.toMatch(/PORTAL_|secret/);
  });

  it('inherits time zone, search paths and options of Node, and no arguments', async () => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    vi.stubEnv('LD_LIBRARY_PATH', '/nowhere/lib');
    process.execArgv.push('--no-deprecation');
    onTestFinished(() => {
      vi.unstubAllEnvs();
      process.execArgv.pop();
    });
    const { query } = startEngine();
    await query('SELECT 1');
    const [pid] = childProcesses();
    const variables = readProcess(pid!, 'environ').split('\0').filter(Boolean);
    for (const name of ['PATH', 'TZ', 'LD_LIBRARY_PATH', 'NODE_OPTIONS'])
      expect(variables).toContain(`${name}=${process.env[name]}`);
    expect(readProcess(pid!, 'cmdline')).not.toContain('--no-deprecation');
  });

  it('the log has what an engine process writes to its standard error', async () => {
    const { NODE_OPTIONS: options } = process.env;
    vi.stubEnv('NODE_OPTIONS', `${options} --import=data:text/javascript,console.error('careful')`);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const { query, log } = startEngine();
    await query('SELECT 1');
    await expect.poll(() => log.join('')).toContain('careful');
    const line = log.map((text) => JSON.parse(text)).find(({ msg }) => msg === 'careful');
    expect(line).toMatchObject({ level: 40, engine: childProcesses()[0] });
  });

  it('Linux ends an engine process before the portal when memory runs out', async () => {
    const { query } = startEngine();
    await query('SELECT 1');
    expect(readProcess(childProcesses()[0]!, 'oom_score_adj').trim()).toBe('500');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'that gets %s serves until the portal ends it',
    async (signal) => {
      const { query, engine } = startEngine();
      await query('SELECT 1');
      const [pid] = childProcesses();
      process.kill(pid!, signal);
      expect((await query('SELECT sum(Sales) AS s FROM dataset')).rows).toEqual([{ s: '3' }]);
      expect(childProcesses()).toEqual([pid]);
      await engine.close();
      expect(isAlive(pid!)).toBe(false);
    },
  );

  it('an engine that is closed starts no process', async () => {
    const { query, engine } = startEngine();
    await engine.close();
    const refusal = { reason: 'failed', message: 'The portal is stopping.' };
    await expect(query('SELECT 1')).rejects.toMatchObject(refusal);
    expect(childProcesses()).toEqual([]);
  });

  it('that ends on close is not logged as a crash', async () => {
    const { query, engine, log } = startEngine();
    await query('SELECT 1');
    await engine.close();
    expect(log.join('')).not.toContain('engine process ended');
  });

  it('a query with the dataset of an idle engine process runs in that process', async () => {
    const { engine, query } = startEngine();
    const other = { ...dataset, version: '2' };
    const slow = query('SELECT count(*) AS n FROM dataset, range(30000000)');
    const findNewPid = (pids: number[]) => childProcesses().filter((pid) => !pids.includes(pid));
    await expect.poll(() => childProcesses().filter(isComputing).length).toBe(1);
    const before = childProcesses();
    const runOther = (text: string, signal = live) =>
      engine.query(owner, { dataset: other, text, values: [] }, signal);
    await runOther('SELECT 1');
    const [second] = findNewPid(before);
    await slow;
    const gone = new AbortController();
    const running = reasonOf(runOther(endless, gone.signal));
    await expect.poll(() => childProcesses().filter(isComputing)).toEqual([second]);
    gone.abort();
    await running;
  });

  it('a query with a dataset that no engine process has open runs in the one idle the longest', async () => {
    const { engine } = startEngine();
    const run = (version: string) =>
      engine.query(owner, { dataset: { ...dataset, version }, text: 'SELECT 1', values: [] }, live);
    await Promise.all([run('1'), run('2')]);
    for (const version of ['1', '2', '3']) await run(version);
    // Without its name, a file can only be read by the process that has it open.
    const [file = ''] = dataset.paths;
    fs.renameSync(file, `${file}.moved`);
    onTestFinished(() => fs.renameSync(`${file}.moved`, file));
    // Its process is the one that was used last.
    expect(await reasonOf(run('3'))).toBe('it did not fail');
    expect(await reasonOf(run('2'))).toBe('it did not fail');
    expect(await reasonOf(run('1'))).toBe('failed');
  });

  it('frees the values of its queries', async () => {
    const { engine, query } = startEngine();
    await query('SELECT 1');
    const [pid] = childProcesses();
    const readMegabytes = () =>
      Number(/VmRSS:\s+(\d+) kB/.exec(readProcess(pid!, 'status'))![1]) / 1_024;
    const before = readMegabytes();
    const values = ['x'.repeat(1_000_000)];
    for (let run = 0; run < 100; run++)
      await engine.query(
        owner,
        {
          dataset,
          text: 'SELECT count(*) AS n FROM dataset WHERE CAST(Sales AS VARCHAR) = ?',
          values,
        },
        live,
      );
    expect(readMegabytes() - before).toBeLessThan(100);
  });

  it('ends when the portal is killed, even during a query', async () => {
    const portal = spawn(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { Engine } from ${JSON.stringify(new URL('engine.ts', import.meta.url).href)};
        const logger = { warn() {}, error() {} };
        const engine = new Engine({ ...${JSON.stringify(limits)}, logger });
        const { signal } = new AbortController();
        const dataset = ${JSON.stringify(dataset)};
        const run = (text) => engine.query(${JSON.stringify(owner)}, { dataset, text, values: [] }, signal);
        await run('SELECT 1');
        process.stdout.write('ready');
        await run(${JSON.stringify(endless)});`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(portal.stdout, 'data');
    const children = fs.readFileSync(`/proc/${portal.pid}/task/${portal.pid}/children`, 'utf8');
    const pids = children.split(' ').filter(Boolean).map(Number);
    expect(pids.length).toBeGreaterThan(0);
    const engine = pids.find((pid) => readProcess(pid, 'cmdline').includes('/engine/process.'));
    await expect.poll(() => isComputing(engine!)).toBe(true);
    portal.kill('SIGKILL');
    for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false);
  });
});
