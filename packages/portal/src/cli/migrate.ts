import type { Command } from '@commander-js/extra-typings';

import { listFormerAdministratorKeys, type NamedApiKey } from '../api-keys/store.ts';
import { addCommand, type Cli } from './cli.ts';
import { formatTable } from './output.ts';

const describeKeys = (keys: readonly NamedApiKey[]): string =>
  keys.length === 0
    ? ''
    : `

These API keys have created administrators or contributors, which now needs the permission
administrators:write. If a program still does so with one of them, create a key with this permission
for it:

${formatTable(
  ['ORGANIZATION', 'NAME', 'ID'],
  keys.map(({ organization, name, id }) => [organization, name, id]),
  '',
)}`;

export function addMigrateCommand(program: Command, cli: Cli): void {
  addCommand(program, 'migrate', 'migrate the database to this version', ['portal migrate'])
    .addHelpText(
      'after',
      '\n`portal serve` migrates too, unless PORTAL_MIGRATE is off. Other commands refuse an older schema.',
    )
    .action(async () => {
      const { db, applied, close } = await cli.openDatabase({ migrate: true });
      let keys: NamedApiKey[];
      try {
        keys = await listFormerAdministratorKeys(db);
      } finally {
        await close();
      }
      const done = applied.length === 0 ? '' : `Applied ${applied.join(', ')}. `;
      const text = `${done}The database is up to date.${describeKeys(keys)}`;
      await cli.answer({ json: { applied, keysWithoutAdministratorsWrite: keys }, text });
    });
}
