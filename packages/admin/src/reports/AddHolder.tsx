import { Button, Group } from '@mantine/core';
import { useState } from 'react';

import { HolderPicker } from '../holders/HolderPicker.tsx';
import { useFormats } from '../messages/messages.ts';
import type { Named } from '../requests/lists.ts';
import type { Holder } from '../requests/reports.ts';
import { NewUser } from '../users/NewUser.tsx';

/** Gives something to a user or a group that exists, or to a new user. */
export function AddHolder({
  label,
  newUser,
  onChoose,
}: {
  label: string;
  /** What a new user gets at first. */
  newUser: { reports: readonly Named[]; roles?: readonly Named[] };
  onChoose: (holder: Holder) => void;
}) {
  const { formatMessage } = useFormats();
  const [isNew, setIsNew] = useState(false);
  return (
    <Group align="flex-end" gap="xs" className="add-holder">
      <HolderPicker label={label} onChoose={onChoose} />
      <Button variant="default" onClick={() => setIsNew(true)}>
        {formatMessage('users.create')}
      </Button>
      {isNew && <NewUser {...newUser} onClose={() => setIsNew(false)} />}
    </Group>
  );
}
