import type { Command } from '@commander-js/extra-typings';

import { addCommand, type Cli } from './cli.ts';

export function addMigrateCommand(program: Command, cli: Cli): void {
  addCommand(program, 'migrate', 'migrate the database to this version', ['portal migrate'])
    .addHelpText(
      'after',
      '\n`portal serve` migrates too, unless PORTAL_MIGRATE is off. Other commands refuse an older schema.',
    )
    .action(async () => {
      const { applied, close } = await cli.openDatabase({ migrate: true });
      await close();
      const text =
        applied.length === 0
          ? 'The database is up to date.'
          : `Applied ${applied.join(', ')}. The database is up to date.`;
      await cli.answer({ json: { applied }, text });
    });
}
