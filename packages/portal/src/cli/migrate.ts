import type { Command } from 'commander';

import { addCommand, type Cli } from './cli.ts';

export function addMigrateCommand(program: Command, cli: Cli): void {
  addCommand(program, 'migrate', 'bring the database up to this version and end', [
    'portal migrate',
  ])
    .addHelpText('after', '\nEvery other command does this too, as its first step.')
    .action(async () => {
      const { applied, close } = await cli.openDatabase();
      await close();
      const text =
        applied.length === 0
          ? 'The database is up to date.'
          : `Applied ${applied.join(', ')}. The database is up to date.`;
      await cli.answer({ json: { applied }, text });
    });
}
