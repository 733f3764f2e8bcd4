import type { TestProject } from 'vitest/node';

import { startDemo } from './demo.ts';

/** Starts the demo once for all files that only look at it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const demo = await startDemo();
  project.provide('demo', { dataDir: demo.dataDir, env: demo.env, screen: demo.output() });
  return async () => {
    await demo.interrupt();
    demo.remove();
  };
}
