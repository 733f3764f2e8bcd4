import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { createTemporaryFolder, findPostgres } from 'test-support';
import { vi } from 'vitest';

/**
 * A machine with systemd and a network of its own. It has the programs of the machine of the tests, and
 * copies of its folders for settings and data.
 */
export interface Machine {
  /** The folder `/tmp` of the machine. */
  temporary: string;
  /** Opens a terminal of root. `onInternet` gives it the network of the machine of the tests. */
  openTerminal: (options?: { onInternet?: boolean }) => Terminal;
  /** Kills all its processes and removes its changes. */
  remove: () => Promise<void>;
}

export interface Terminal {
  /**
   * Runs commands in Bash. Variables and the current folder stay for the next commands.
   *
   * @returns the output of both streams
   * @throws with the output if a command fails, which ends the terminal
   */
  run: (code: string) => Promise<string>;
}

const script = fileURLToPath(new URL('machine/start.sh', import.meta.url));
/** That of root, and the folders of Node and of the newest PostgreSQL server. */
const searchPath = [
  findPostgres(),
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  path.dirname(process.execPath),
].join(':');
const spaces = ['--mount', '--uts', '--ipc', '--net', '--pid'];

/** Only root can mount folders, and not in every container. */
export function findCanStartMachine(): boolean {
  const overlay =
    'mount -t overlay overlay /mnt -o lowerdir=/mnt:/etc && [ -x /lib/systemd/systemd ]';
  return spawnSync('unshare', [...spaces, '--fork', 'sh', '-c', overlay]).status === 0;
}

export async function startMachine(): Promise<Machine> {
  const folder = createTemporaryFolder('portal-machine-');
  fs.chmodSync(folder, 0o755);
  const group = path.basename(folder);
  // If the process of the tests is killed, the machine ends, too.
  const machine = spawn('setpriv', [
    '--pdeathsig=KILL',
    'unshare',
    ...spaces,
    '--fork',
    '--kill-child',
    'sh',
    script,
    folder,
    group,
  ]);
  const log = collect(machine);
  const terminals: ChildProcess[] = [];
  const openTerminal: Machine['openTerminal'] = ({ onInternet = false } = {}) => {
    const pid = readFirstChild(machine.pid!);
    const joined = spaces.filter((each) => each !== '--net' || !onInternet);
    const bash = spawn('nsenter', ['--target', pid, ...joined, 'bash', '--norc'], {
      env: {
        PATH: searchPath,
        HOME: '/root',
        npm_config_audit: 'false',
        npm_config_prefer_offline: 'true',
      },
    });
    terminals.push(bash);
    return { run: createRun(bash) };
  };
  const remove = async () => {
    for (const each of terminals) each.kill('SIGKILL');
    machine.kill('SIGKILL');
    if (machine.exitCode === null && machine.signalCode === null) await once(machine, 'exit');
    await vi.waitFor(() => removeControlGroup(group), { timeout: 10_000 });
    fs.rmSync(folder, { recursive: true });
  };
  try {
    await vi.waitFor(
      async () => {
        if (machine.exitCode !== null) throw new Error(`The machine did not start: ${log()}`);
        await openTerminal().run('systemctl is-active basic.target');
      },
      { timeout: 60_000, interval: 200 },
    );
  } catch (error) {
    await remove();
    throw error;
  }
  return { temporary: path.join(folder, 'tmp'), openTerminal, remove };
}

function readFirstChild(pid: number): string {
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  if (!children[0]) throw new Error('The machine has no first process yet.');
  return children[0];
}

function removeControlGroup(name: string): void {
  const [, mount = ''] = /^\S+ (\S+) cgroup2 /m.exec(fs.readFileSync('/proc/mounts', 'utf8')) ?? [];
  const group = path.join(mount, name);
  const { stderr } = spawnSync('find', [group, '-depth', '-type', 'd', '-delete']);
  if (fs.existsSync(group)) throw new Error(stderr.toString());
}

/** Returns a function that returns what the process has written so far. */
function collect(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return () => output;
}

function createRun(bash: ChildProcess): Terminal['run'] {
  const read = collect(bash);
  const ended = once(bash, 'close');
  let taken = 0;
  bash.stdin!.on('error', () => {});
  bash.stdin!.write('exec 2>&1; set -euo pipefail; cd /root\n');
  return async (code) => {
    const marker = `done-${taken}-${Math.random()}`;
    const encoded = Buffer.from(code).toString('base64');
    // The commands must not read those that follow.
    bash.stdin!.write(
      `eval "$(base64 --decode <<< ${encoded})" < /dev/null\nprintf '%s' ${marker}\n`,
    );
    const arrived = new Promise<void>((resolve) => {
      const look = () => {
        if (!read().endsWith(marker)) return;
        bash.stdout!.off('data', look);
        resolve();
      };
      bash.stdout!.on('data', look);
    });
    const failed = ended.then(() => 'failed' as const);
    const outcome = await Promise.race([arrived, failed]);
    const output = read().slice(taken).replace(marker, '');
    taken = read().length;
    if (outcome === 'failed') throw new Error(`The commands failed:\n${code}\n${output}`);
    return output;
  };
}
