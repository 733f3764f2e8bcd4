import { EventEmitter, once } from 'node:events';
import fs from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { runOnServer } from '../../src/cli/control/client.ts';
import { acceptCommands } from '../../src/cli/control/control-server.ts';
import { encodeMessage } from '../../src/cli/control/messages.ts';
import { controlSocketPath } from '../../src/cli/control/socket-path.ts';
import { run } from '../../src/cli/run.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/connection/open.ts';
import { version } from '../../src/version.ts';
import { createGlobex, ofGlobex, runCommand, runInProcess } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startPortalProcess, type PortalProcess } from '../support/processes.ts';
import { runOnTerminal } from '../support/terminal.ts';

let database: TestDatabase;
/** A copy of the database without a server. */
let unserved: TestDatabase;
let portal: PortalProcess;
beforeAll(async () => {
  ({ database } = await createGlobex());
  unserved = await createTestDatabase({ isEmpty: true });
  fs.cpSync(database.dataDir, unserved.dataDir, { recursive: true });
  portal = await startPortalProcess(database);
});
afterAll(async () => {
  await portal.stop();
  for (const each of [database, unserved]) await each.remove();
});

describe('a command while the server holds the embedded database', () => {
  it('is run by the server, under the name of its caller', async () => {
    const create = ['users', 'create', 'ann@globex.example', '--name', 'Ann', ...ofGlobex];
    const created = await runCommand(database, create);
    expect(created).toMatchObject({ code: 0, stderr: '' });
    expect(created.stdout).toMatch(/^Created the user ann@globex\.example/);
    const listed = await runInProcess(database, ['activity', 'list', ...ofGlobex, '--json'], {
      PORTAL_OPERATOR: 'piet',
    });
    expect(listed.json()[0]).toMatchObject({ action: 'createUser', actor: { name: 'olivia' } });
  });

  it('has the same exit code and error with and without a server', async () => {
    const failing = ['users', 'delete', 'nobody@globex.example', ...ofGlobex, '--json'];
    const beside = await runCommand(database, failing);
    const wrong = await runInProcess(database, ['users', 'create', 'no-address', ...ofGlobex]);
    const alone = await runInProcess(unserved, failing);
    expect([beside.code, beside.stdout, beside.stderr]).toEqual([3, '', alone.stderr]);
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
  });

  it('writes files into the folder of its caller', async () => {
    const folder = fs.mkdtempSync(path.join(database.dataDir, 'cwd-'));
    const exported = ['audit', 'export', ...ofGlobex, '--output', 'audit.csv'];
    expect(await runCommand(database, exported, {}, folder)).toMatchObject({ code: 0 });
    expect(fs.readFileSync(path.join(folder, 'audit.csv'), 'utf8')).toMatch(/^id,createdAt,/);
  });

  it('accepts --json before and after its name', async () => {
    const listed = await Promise.all(
      [
        ['--json', 'users', 'list'],
        ['users', '--json', 'list'],
        ['users', 'list', '--json'],
      ].map((args) => runInProcess(database, [...args, ...ofGlobex])),
    );
    for (const result of listed) expect(result.json()).toEqual(listed[0]!.json());
  });

  it('is rejected if its version differs from the server’s', async () => {
    const socket = connect(controlSocketPath(database.dataDir));
    const request = { version: '0.0.0', args: ['organizations', 'list'], cwd: '/', operator: 'x' };
    socket.write(encodeMessage(request));
    const received = await text(socket);
    expect(received).toContain(`has version ${version}, this command has 0.0.0`);
    expect(received).toContain('"exitCode":4');
  });

  it('asks on the terminal of its caller', async () => {
    const prune = 'audit prune -o globex --before 2020-01-01';
    const refused = await runInProcess(database, prune.split(' '));
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --yes') });
    for (const [answer, code, expected] of [
      ['n\r', 2, 'Nothing was removed'],
      ['y\r', 0, 'Removed 0 entries'],
    ] as const) {
      const { output, ...result } = await runOnTerminal(database, prune, answer);
      expect(output).toMatch(/Remove 0 entries of the access log of globex .*\[y\/N\]/);
      expect(output).toContain(expected);
      expect(result.code).toBe(code);
    }
  });

  it('cannot be a second server, and does not disturb the first', async () => {
    const served = await runCommand(database, ['serve']);
    expect(served.code).toBe(4);
    expect(served.stderr).toMatch(
      new RegExp(`in use by process ${portal.pid} .*PORTAL_DATA_DIR.*PORTAL_DATABASE_URL`, 's'),
    );
    await expect(openDatabase(database)).rejects.toMatchObject({ name: 'LockedError' });
    expect((await send(`${portal.publicUrl}/readyz`)).status).toBe(200);
  });
});

it('a command fails and changes nothing while another command holds the embedded database', async () => {
  const own = await createTestDatabase({ isEmpty: true });
  onTestFinished(own.remove);
  fs.cpSync(unserved.dataDir, own.dataDir, { recursive: true });
  const held = await openDatabase(own);
  const commands = [
    ['users', 'create', 'late@globex.example', '--name', 'Late'],
    ['audit', 'prune', '--before', '0m', '--yes'],
  ];
  const detail = new RegExp(`in use by process ${process.pid} .*Stop that process`, 's');
  for (const command of commands) {
    const result = await runCommand(own, [...command, ...ofGlobex, '--json']);
    expect([result.code, result.stdout]).toEqual([4, '']);
    expect(JSON.parse(result.stderr)).toEqual({
      error: { exitCode: 4, code: 'database_in_use', detail: expect.stringMatching(detail) },
    });
  }
  await held.close();
  const listed = await runInProcess(own, ['users', 'list', ...ofGlobex, '--email', 'late']);
  expect(listed.stdout).toMatch(/no user/i);
});

it('the folder of the socket must be closed to other users', () => {
  const folder = path.dirname(controlSocketPath(database.dataDir));
  expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
  onTestFinished(() => fs.chmodSync(folder, 0o700));
  for (const mode of [0o755, 0o770, 0o707]) {
    fs.chmodSync(folder, mode);
    expect(() => controlSocketPath(database.dataDir)).toThrow('chmod 700');
  }
});

it('a server whose socket is in a folder that other users can access does not become ready', async () => {
  const own = await createTestDatabase();
  onTestFinished(own.remove);
  fs.mkdirSync(path.join(own.dataDir, 'control'));
  fs.chmodSync(path.join(own.dataDir, 'control'), 0o755);
  const served = await runCommand(own, ['serve']);
  expect([served.code, served.stdout]).toEqual([1, '']);
  expect(served.stderr).toContain('chmod 700');
});

it('the server accepts commands for a data directory with a long path', async () => {
  const long = await createTestDatabase();
  const dataDir = path.join(long.dataDir, 'x'.repeat(120));
  fs.mkdirSync(dataDir);
  fs.renameSync(path.join(long.dataDir, 'database'), path.join(dataDir, 'database'));
  const { db, close } = await openDatabase({ dataDir });
  const stop = await acceptCommands({ config: readConfig({ PORTAL_DATA_DIR: dataDir }), db, run });
  const where = { dataDir, databaseUrl: undefined };
  const result = await runInProcess(where, ['organizations', 'list']);
  expect(result).toMatchObject({ code: 0, stdout: 'There are no organizations yet.\n' });
  await stop();
  await close();
  fs.rmSync(path.dirname(controlSocketPath(dataDir)), { recursive: true });
  await long.remove();
});

describe('a server that accepts commands', () => {
  const acceptHere = async (runFake: Parameters<typeof acceptCommands>[0]['run']) => {
    const own = await createTestDatabase();
    const opened = await openDatabase(own);
    const config = readConfig({ PORTAL_DATA_DIR: own.dataDir });
    const stop = await acceptCommands({ config, db: opened.db, run: runFake });
    return {
      dataDir: own.dataDir,
      stop,
      close: async () => {
        await stop();
        await opened.close();
        await own.remove();
      },
    };
  };
  const request = { version, args: [], cwd: '/', operator: 'x' };

  it('aborts a command whose caller disconnects', async () => {
    const events = new EventEmitter();
    const aborted = once(events, 'aborted');
    const server = await acceptHere(async (_args, { signal }) => {
      await once(signal!, 'abort');
      events.emit('aborted');
      return 0;
    });
    const socket = connect(controlSocketPath(server.dataDir));
    socket.write(encodeMessage(request));
    await once(socket, 'connect');
    socket.destroy();
    expect(await aborted).toEqual([]);
    await server.close();
  });

  it('replaces the socket that a killed server has left behind', async () => {
    const own = await createTestDatabase();
    onTestFinished(() => own.remove());
    const file = controlSocketPath(own.dataDir);
    const config = readConfig({ PORTAL_DATA_DIR: own.dataDir });
    const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
    expect(await runOnServer(own.dataDir, request, streams)).toBeUndefined();
    // Nobody listens on a plain file either.
    fs.writeFileSync(file, '');
    expect(await runOnServer(own.dataDir, request, streams)).toBeUndefined();
    const { db, close } = await openDatabase(own);
    const stop = await acceptCommands({ config, db, run: async () => 7 });
    expect(await runOnServer(own.dataDir, request, streams)).toBe(7);
    await stop();
    await close();
  });

  it('tells the caller of a command that it interrupts to check the effect', async () => {
    const events = new EventEmitter();
    const started = once(events, 'started');
    const server = await acceptHere(async (_args, { signal }) => {
      events.emit('started');
      await once(signal!, 'abort');
      return 0;
    });
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const running = runOnServer(server.dataDir, request, { stdout, stderr });
    const outcome = running.catch((error: Error) => error.message);
    await started;
    await server.stop();
    expect(await outcome).toContain('The server stopped');
    await server.close();
  });
});
