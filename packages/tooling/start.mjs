/** `npm start`: the portal and the example host application, with the demo's data. */
import { setFlagsFromString } from 'node:v8';

import { buildFor, installForStart } from './prepare.mjs';

// Optimizing WebAssembly takes longer than this process uses the database.
setFlagsFromString('--liftoff-only');
const npm = process.ppid;
await installForStart();
await buildFor('programs');
const { stopWithNpm } = await import('../portal/dist/programs/npm-parent.js');
stopWithNpm(npm);
const { startDemo } = await import('../../examples/express-react/dist/programs/start.js');
await startDemo(buildFor('pages'));
