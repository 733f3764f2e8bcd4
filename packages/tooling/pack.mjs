/** `npm run pack`: a tarball of each public package in `packs/`, as it would be published. */
import fs from 'node:fs';
import path from 'node:path';

import { buildPackages, install, packPackages, repository } from './prepare.mjs';

await install();
await buildPackages();
const folder = path.join(repository, 'packs');
fs.rmSync(folder, { recursive: true, force: true });
await packPackages(folder, (file) =>
  console.log(path.relative(process.cwd(), path.join(folder, file))),
);
