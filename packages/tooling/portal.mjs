/** `npm run portal -- …`: the portal's command line. */
import { buildFor, installForStart } from './prepare.mjs';

const portal = ['packages/portal'];
await installForStart();
await buildFor('programs', portal);
await buildFor('pages', portal);
await import('../portal/bin/portal.js');
