/** Builds the application. */
import { build, buildNextExample } from '../../../packages/tooling/prepare.mjs';

await build();
await buildNextExample();
