/** `npm run pack`: a tarball of each public package in `packs/`, as it would be published. */
import fs from 'node:fs';
import path from 'node:path';

import { build, install, packageManager, publicPackages, repository, run } from './prepare.mjs';

await install();
await build();
const folder = path.join(repository, 'packs');
fs.rmSync(folder, { recursive: true, force: true });
for (const { name, folder: source } of publicPackages()) {
  const file = path.join(folder, `${name.replace('@portal-embed/', '')}.tgz`);
  await run('npx', ['-y', packageManager, 'pack', '--out', file], source);
  console.log(path.relative(process.cwd(), file));
}
