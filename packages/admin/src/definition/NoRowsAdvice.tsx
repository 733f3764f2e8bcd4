import { Button, Group } from '@mantine/core';
import { useViewer } from 'viewer/viewer-context';

import { useFormats } from '../messages/messages.ts';

/** Tells an administrator why a preview has no rows, and what to do. */
export function NoRowsAdvice({
  reader,
  onChooseReader,
}: {
  /** Default: nobody, and all rows are shown. */
  reader: { name: string } | undefined;
  onChooseReader: () => void;
}) {
  const { formatMessage } = useFormats();
  const { view } = useViewer();
  const isRoleMissing = reader && view?.rowAccess === 'by-role' && view.roles.length === 0;
  return (
    <>
      <p>
        {isRoleMissing
          ? formatMessage('definition.no_role', { name: reader.name })
          : formatMessage('definition.no_rows')}
      </p>
      <Group justify="center" mt="md">
        <Button variant="default" onClick={onChooseReader}>
          {formatMessage('definition.choose_reader')}
        </Button>
        {isRoleMissing && (
          <Button variant="default" component="a" href="#/rows">
            {formatMessage('definition.give_role')}
          </Button>
        )}
      </Group>
    </>
  );
}
