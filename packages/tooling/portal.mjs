/** `npm run portal -- …`: the portal's command line. */
import { build, install } from './prepare.mjs';

await install();
await build();
await import('../portal/bin/portal.js');
