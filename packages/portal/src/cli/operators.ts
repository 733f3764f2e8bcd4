import type { Command } from '@commander-js/extra-typings';

import { createInvitationUrl } from '../sign-in/invitation-url.ts';
import { deleteOperator, inviteOperator, listOperators } from '../sign-in/operators.ts';
import { describeInvitation } from './administrators.ts';
import { addCommand, type Cli } from './cli.ts';
import { emailSchema, nameSchema, parseInput } from './input.ts';
import { formatTable } from './output.ts';

export function addOperatorCommands(program: Command, cli: Cli): void {
  const operators = program
    .command('operators')
    .description('manage operators, who administer all organizations');

  addCommand(
    operators,
    'invite <email>',
    'create an operator, or let one set another password, and show the link',
    ['portal operators invite ops@portal.example --name "Olga Perez"'],
  )
    .option('--name <name>', 'name of a new operator; default: the e-mail')
    .action((email: string, options) =>
      cli.onDatabase(async (db, config) => {
        const name = options.name === undefined ? undefined : parseInput(nameSchema, options.name);
        const operatorEmail = parseInput(emailSchema, email, 'email');
        const { token } = await inviteOperator(db, { email: operatorEmail, name });
        const url = createInvitationUrl(config, token);
        return {
          json: { email: operatorEmail, url },
          text: describeInvitation(operatorEmail, url),
        };
      }),
    );

  addCommand(operators, 'list', 'list the operators', ['portal operators list']).action(() =>
    cli.onDatabase(async (db) => {
      const rows = (await listOperators(db)).map((row) => ({
        email: row.email,
        name: row.name,
        hasPassword: row.has_password,
        createdAt: row.created_at.toISOString(),
      }));
      const cells = rows.map((row) => [
        row.email,
        row.name,
        row.hasPassword ? 'active' : 'invited',
        row.createdAt,
      ]);
      const columns = ['E-MAIL', 'NAME', 'STATE', 'CREATED'];
      return { json: rows, text: formatTable(columns, cells, 'There are no operators yet.') };
    }),
  );

  addCommand(operators, 'delete <email>', 'delete an operator and end their sessions', [
    'portal operators delete ops@portal.example',
  ]).action((email: string) =>
    cli.onDatabase(async (db) => {
      await deleteOperator(db, parseInput(emailSchema, email, 'email'));
      return { json: { email }, text: `Deleted the operator ${email}.` };
    }),
  );
}
