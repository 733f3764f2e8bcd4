import { Fieldset, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** Fields of a form. They are disabled while it is saved, because a change would be lost. */
export const SavedFields = ({ isSaving, children }: { isSaving: boolean; children: ReactNode }) => (
  <Fieldset variant="unstyled" mx={0} disabled={isSaving}>
    <Stack>{children}</Stack>
  </Fieldset>
);
