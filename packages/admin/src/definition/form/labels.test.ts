import { expect, it } from 'vitest';

import { loadFormats } from '../../messages/messages.ts';
import { labelChoice, labelProperty, labelType } from './labels.ts';
import { listProperties, tileTypes } from './properties.ts';
import { portugueseHelp } from './translate-help.ts';

it('each type, property and choice has a label, and each description a translation', async () => {
  const { formatMessage } = await loadFormats(['en']);
  const missing = tileTypes.flatMap((type) => [
    ...(labelType(type, formatMessage) === type ? [type] : []),
    ...listProperties(type).flatMap(({ name, help, input }) => [
      ...(labelProperty(type, name, formatMessage) === name ? [`${type}.${name}`] : []),
      ...(help !== undefined && !(help in portugueseHelp) ? [help] : []),
      ...(input.kind === 'choice' ? input.choices : []).filter(
        (choice) => labelChoice(choice, formatMessage) === choice,
      ),
    ]),
  ]);
  expect(missing).toEqual([]);
});
