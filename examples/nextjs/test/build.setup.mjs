import { build, buildNextExample } from '../../../packages/tooling/prepare.mjs';

/** Builds the application, without the variables that its server gets. */
export default function setup() {
  process.env.NEXT_TELEMETRY_DISABLED = '1';
  build();
  buildNextExample();
}
