/** For `--import`. Optimizing WebAssembly takes longer than a test uses its database. */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--liftoff-only');
