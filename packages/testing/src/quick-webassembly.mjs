/** For `--import`. Optimizing WebAssembly takes longer than the databases of tests live. */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--liftoff-only');
