import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { repository } from './prepare.mjs';

/** A little above that of the portal's helper processes. */
const testPriority = os.constants.priority.PRIORITY_LOW - 4;

/**
 * Runs Vitest in the terminal and returns its counts, the paths of the test files, and the names of the
 * tests that failed. A run without a report counts as one failure.
 */
export async function runTests(config, args) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-report-'));
  const report = path.join(folder, 'tests.json');
  const vitest = spawn(
    path.join(repository, 'node_modules/.bin/vitest'),
    [
      'run',
      `--config=packages/tooling/${config}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args,
    ],
    { cwd: repository, stdio: 'inherit' },
  );
  // Otherwise, the helper processes of the portal would get one percent of a core beside the tests.
  os.setPriority(vitest.pid, testPriority);
  // Ctrl-C reaches Vitest by itself.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => vitest.kill(signal));
  const [status] = await once(vitest, 'exit');
  try {
    const results = JSON.parse(fs.readFileSync(report, 'utf8'));
    const failed = results.numFailedTests;
    return {
      files: results.testResults.map(({ name }) => name),
      passed: results.numPassedTests,
      // An error outside of a test fails the run, too.
      failed: status !== 0 && failed === 0 ? 1 : failed,
      failures: listFailures(results),
      skipped: results.numPendingTests + results.numTodoTests,
    };
  } catch {
    console.error('Vitest wrote no report. Read its output above.');
    return { files: [], passed: 0, failed: 1, failures: [], skipped: 0 };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** The names of failed tests, each after its file, and the files that failed as a whole. */
function listFailures(results) {
  return results.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = path.relative(repository, name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && tests.length === 0) return [file];
    return tests.map((test) => `${file}: ${test.fullName}`);
  });
}
