/** `npm start`: the portal and the example host application, with the demo's data. */
import { stopWithNpm } from './npm-parent.mjs';
import { build, install } from './prepare.mjs';

stopWithNpm();
install();
build();
await import('../../examples/express-react/dist/start.js');
