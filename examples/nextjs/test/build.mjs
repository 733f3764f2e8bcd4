/** Builds the application. */
import { build, buildNextExample } from '../../../packages/tooling/prepare.mjs';

build();
buildNextExample();
