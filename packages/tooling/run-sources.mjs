/** Preloaded with `--import`. Lets a process run TypeScript at half the cost of tsx. */
import { register } from 'node:module';

register('./compile-sources.mjs', import.meta.url);
