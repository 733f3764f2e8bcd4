import { Button } from '@mantine/core';
import { useState } from 'react';

import { useFormats } from '../messages/messages.ts';
import type { AdminDataset, DataFiles } from '../requests/datasets.ts';
import { NewData } from './NewData.tsx';

/** Opens the dialogs that bring new data to a dataset. */
export function NewDataButtons({ dataset, files }: { dataset: AdminDataset; files: DataFiles }) {
  const { formatMessage } = useFormats();
  const [mode, setMode] = useState<'replace' | 'append' | null>(null);
  return (
    <>
      {mode && (
        <NewData dataset={dataset} files={files} mode={mode} onClose={() => setMode(null)} />
      )}
      <Button variant="default" onClick={() => setMode('replace')}>
        {formatMessage('new_data.replace')}
      </Button>
      <Button variant="default" onClick={() => setMode('append')}>
        {formatMessage('new_data.append')}
      </Button>
    </>
  );
}
