import { expect, it } from 'vitest';

import { loadFormats } from '../../messages/messages.ts';
import { labelChoice, labelProperty, labelType } from './labels.ts';
import { listProperties, tileTypes } from './properties.ts';
import { portugueseHelp } from './translate-help.ts';

it('each type, property and choice has a label, and each description a translation', async () => {
  const { formatMessage } = await loadFormats(['en']);
  const properties = tileTypes.flatMap((type) =>
    listProperties(type).map((property) => ({ type, property })),
  );
  const choices = properties.flatMap(({ property: { input } }) =>
    input.kind === 'choice' ? input.choices : [],
  );
  const helps = properties.flatMap(({ property: { help } }) => help ?? []);
  expect({
    types: tileTypes.filter((type) => labelType(type, formatMessage) === type),
    properties: properties.filter(
      ({ type, property: { name } }) => labelProperty(type, name, formatMessage) === name,
    ),
    choices: choices.filter((choice) => labelChoice(choice, formatMessage) === choice),
    helps: helps.filter((help) => !(help in portugueseHelp)),
  }).toEqual({ types: [], properties: [], choices: [], helps: [] });
});
