import { build } from './prepare.mjs';

/** For the projects whose tests run `dist`: builds what is out of date before the first test. */
export default function setup() {
  build();
}
