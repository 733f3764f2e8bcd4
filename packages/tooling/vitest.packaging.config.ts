import { testProject } from './vitest.project.ts';

/** Tests that install packages or run a copy of the repository. */
export default testProject({
  name: 'packaging',
  include: [
    '*.deep.test.mjs',
    '../{express,react}/test/*.deep.test.ts',
    '../../examples/*/test/*.deep.test.ts',
  ],
  isolate: true,
  testTimeout: 300_000,
  hookTimeout: 300_000,
});
