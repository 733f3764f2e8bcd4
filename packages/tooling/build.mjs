/** `npm run build`: builds all packages and programs. */
import { build, install } from './prepare.mjs';

await install();
await build();
