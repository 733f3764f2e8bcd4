import { Command } from '@commander-js/extra-typings';
import { expect, it } from 'vitest';
import { z } from 'zod';

import type { Context } from '../actor/actor.ts';
import { addFieldOptions, readFieldOptions } from './field-options.ts';

const shape = {
  mobilePhone: z.string().max(9).nullable().optional().describe('Telephone number.'),
  canEdit: z.boolean().meta({ description: 'let them edit', negation: 'do not let them' }),
};

function parse(...args: string[]) {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  addFieldOptions(command, shape);
  command.parse(args, { from: 'user' });
  return readFieldOptions({} as Context, shape, command.opts());
}

it.each([
  [[], {}],
  [['--mobile-phone', '555', '--can-edit'], { mobilePhone: '555', canEdit: true }],
  [['--without-mobile-phone', '--no-can-edit'], { mobilePhone: null, canEdit: false }],
])('the options %j give the fields %j', async (args, fields) => {
  expect(await parse(...args)).toEqual(fields);
});

it('a value that the field does not accept is refused with the name of its option', async () => {
  await expect(parse('--mobile-phone', '0123456789')).rejects.toThrow('--mobile-phone');
});

it('a field is either set or removed', () => {
  expect(() => parse('--mobile-phone', '1', '--without-mobile-phone')).toThrow('cannot be used');
});

it('the help has the descriptions of the fields', () => {
  const command = new Command();
  addFieldOptions(command, shape);
  expect(command.helpInformation()).toContain('--mobile-phone <mobile-phone>  telephone number\n');
  expect(command.helpInformation()).toMatch(/--without-mobile-phone +remove the mobile phone\n/);
  expect(command.helpInformation()).toMatch(/--no-can-edit +do not let them\n/);
});
