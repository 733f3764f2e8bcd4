import path from 'node:path';

import { administrator, people } from 'demo-data';
import type { DemoAddresses } from 'demo-data';

const names = (list: readonly { email: string }[]) =>
  list.map((person) => `                 ${person.email}`).join('\n');

/** Prints the addresses to open and the users to sign in as. The last line begins with `ready`. */
export function printScreen(options: {
  addresses: DemoAddresses;
  invitation: string;
  environmentFile: string;
  dataDir: string;
  seconds: number;
}): void {
  const { addresses, dataDir } = options;
  const file = path.relative(process.cwd(), options.environmentFile) || options.environmentFile;
  console.log(`
  Portal Embed

  Open           ${addresses.host.acme}
  and sign in as
${names(people.acme)}

  Another tenant ${addresses.host.globex}
${names(people.globex)}

  Administration ${addresses.adminUrl}/admin
  Password link  ${options.invitation}
                 sets the password of ${administrator.email}; works once, within 24 hours

  Portal's API   ${addresses.portalUrl}/docs
  Keys and ids   source ${file}
  Logs           ${path.relative(process.cwd(), dataDir) || dataDir}/portal.log, host.log
`);
  console.log(`ready in ${options.seconds.toFixed(1)} s; Ctrl-C stops`);
}
