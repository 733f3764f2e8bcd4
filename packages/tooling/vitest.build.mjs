import { build } from './prepare.mjs';

/** Builds what is out of date before the first test, for projects whose tests run `dist`. */
export default async function setup() {
  await build();
}
