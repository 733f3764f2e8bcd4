/** `npm run portal -- …`: the portal's command line. */
import { buildForStart, installForStart } from './prepare.mjs';

await installForStart();
await buildForStart();
await import('../portal/bin/portal.js');
