/** `npm start`: the portal and the example host application, with the demo's data. */
import { build, install } from './prepare.mjs';

install();
build();
await import('../../examples/express-react/dist/start.js');
