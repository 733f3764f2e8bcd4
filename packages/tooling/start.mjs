/** `npm start`: the portal and the example host application, with the demo's data. */
import { buildForStart, installForStart } from './prepare.mjs';

const npm = process.ppid;
await installForStart();
await buildForStart();
const { stopWithNpm } = await import('../portal/dist/cli/npm-parent.js');
stopWithNpm(npm);
await import('../../examples/express-react/dist/start.js');
