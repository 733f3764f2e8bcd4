/** `npm run portal -- …`: the portal's command line. */
import { stopWithNpm } from './npm-parent.mjs';
import { build, install } from './prepare.mjs';

stopWithNpm();
install();
build();
await import('../portal/bin/portal.js');
