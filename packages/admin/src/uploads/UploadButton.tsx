import { Button, type ButtonProps } from '@mantine/core';
import { useState } from 'react';

import { useFormats } from '../messages/messages.ts';
import { Upload } from './Upload.tsx';

/** Opens the dialog that makes a dataset and a first report from a file. */
export function UploadButton(props: ButtonProps) {
  const { formatMessage } = useFormats();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button {...props} onClick={() => setIsOpen(true)}>
        {formatMessage('datasets.upload')}
      </Button>
      {isOpen && <Upload onClose={() => setIsOpen(false)} />}
    </>
  );
}
