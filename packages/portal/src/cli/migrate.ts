import type { Command } from '@commander-js/extra-typings';

import { listFormerAdministratorKeys, type NamedApiKey } from '../api-keys/store.ts';
import { listWithoutContent, type ItemWithoutContent } from '../content/without-content.ts';
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

const describeArchived = (items: readonly ItemWithoutContent[]): string =>
  items.length === 0
    ? ''
    : `

These datasets and reports have no content file, which each now needs. They are archived: nobody can
open the reports, and the roles of the datasets are deleted. To see the names of the deleted roles, run
\`portal activity list -o ORGANIZATION --json\`. To restore an item, write a content file with its id
(\`id: ID\`) and, for a dataset, its roles. Then run \`portal content apply -o ORGANIZATION FOLDER\`.
Users and groups can then open their reports again. Link the roles with \`portal roles link-users\` and
\`portal roles link-groups\`. An item that you do not need can stay archived:

${formatTable(
  ['ORGANIZATION', 'KIND', 'NAME', 'ID'],
  items.map(({ organization, kind, name, id }) => [organization, kind, name, id]),
  '',
)}`;

export function addMigrateCommand(program: Command, cli: Cli): void {
  addCommand(program, 'migrate', 'migrate the database to this version', ['portal migrate'])
    .addHelpText(
      'after',
      '\nAlso lists API keys that lack a permission that they used, and archived datasets and reports that\nhave no content file.',
    )
    .addHelpText(
      'after',
      '\n`portal serve` migrates too, unless PORTAL_MIGRATE is off. Other commands refuse an older schema.',
    )
    .action(async () => {
      const { db, applied, close } = await cli.openDatabase({ migrate: true });
      let keys: NamedApiKey[];
      let archived: ItemWithoutContent[];
      try {
        keys = await listFormerAdministratorKeys(db);
        archived = await listWithoutContent(db);
      } finally {
        await close();
      }
      const done = applied.length === 0 ? '' : `Applied ${applied.join(', ')}. `;
      await cli.answer({
        json: {
          applied,
          keysWithoutAdministratorsWrite: keys,
          archivedWithoutContent: archived,
        },
        text: `${done}The database is up to date.${describeKeys(keys)}${describeArchived(archived)}`,
      });
    });
}
