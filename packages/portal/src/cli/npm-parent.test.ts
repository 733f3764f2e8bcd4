import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { afterEach, expect, it, vi } from 'vitest';

import { stopWithNpm } from './npm-parent.ts';

const module = new URL('npm-parent.ts', import.meta.url).href;
const program = `
  import { stopWithNpm } from '${module}';
  process.once('SIGTERM', () => { console.log('stopping'); process.exit(); });
  stopWithNpm();
  console.log('running');
  setInterval(() => {}, 1_000);`;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Watches a parent for a while, and returns the signals that this process got. */
function watch(parent: number, startedBy: string | undefined) {
  vi.stubEnv('npm_lifecycle_event', startedBy);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  stopWithNpm(parent);
  vi.advanceTimersByTime(499);
  expect(kill).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2_000);
  return kill.mock.calls;
}

const another = process.ppid + 1;

it('a process that npm started gets one SIGTERM after its parent has changed', () => {
  expect(watch(another, 'portal')).toEqual([[process.pid, 'SIGTERM']]);
  expect(vi.getTimerCount()).toBe(0);
});

it('a process that npm started runs on while npm runs', () => {
  expect(watch(process.ppid, 'portal')).toEqual([]);
  expect(vi.getTimerCount()).toBe(1);
});

it('a process that npm did not start is not watched', () => {
  expect(watch(another, undefined)).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it('the watch does not keep a process alive', () => {
  vi.stubEnv('npm_lifecycle_event', 'portal');
  const start = vi.spyOn(globalThis, 'setInterval');
  stopWithNpm();
  const timer = start.mock.results[0]!.value as NodeJS.Timeout;
  expect(timer.hasRef()).toBe(false);
  clearInterval(timer);
});

it('a process that npm started stops after npm exits', async () => {
  // The shell stands in for npm. Its second command keeps it from replacing itself with the script.
  const command = '"$NODE" --input-type=module --eval "$PROGRAM"; exit';
  const env = { ...process.env, NODE: process.execPath, PROGRAM: program };
  const npm = spawn('sh', ['-c', command], {
    env: { ...env, npm_lifecycle_event: 'portal' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  npm.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  await expect.poll(() => output).toContain('running');
  npm.kill('SIGKILL');
  // The pipe closes when the script has exited.
  await once(npm.stdout, 'close');
  expect(output).toContain('stopping');
});
