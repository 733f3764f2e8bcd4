import { Alert } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import type { DefinitionMistake } from '../requests/definitions.ts';

/** The mistakes of a text that is tried. */
export function TrialMistakes({ mistakes }: { mistakes: readonly DefinitionMistake[] }) {
  const { formatMessage } = useFormats();
  if (mistakes.length === 0) return null;
  return (
    <Alert
      color="yellow"
      title={formatMessage('definition.mistakes.count', { count: mistakes.length })}
    >
      <ul className="mistakes">
        {mistakes.map(({ file, line, column, message }) => (
          <li key={`${file} ${line} ${column} ${message}`}>
            {file !== undefined && (
              <b>{formatMessage('definition.place_in', { file, line, column })} </b>
            )}
            {message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
