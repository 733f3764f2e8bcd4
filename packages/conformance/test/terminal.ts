import { run } from '../src/cli/run.ts';

/** Runs a command in this process. */
export async function runInProcess(
  args: readonly string[],
  env: Record<string, string> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const output = { stdout: '', stderr: '' };
  const code = await run(args, {
    env,
    stdout: { write: (text) => (output.stdout += text) },
    stderr: { write: (text) => (output.stderr += text) },
    signal,
  });
  return { code, ...output };
}
