import { yaml } from '@codemirror/lang-yaml';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { Modal, Text } from '@mantine/core';
import { useCallback } from 'react';

import { useReturnFocus } from '../kit/use-return-focus.ts';
import { useFormats } from '../messages/messages.ts';
import { pageNonce } from './page-nonce.ts';

/** The lines that differ between a saved version and the text in the editor. */
export function Compare({
  before,
  after,
  onClose,
}: {
  before: string;
  after: string;
  onClose: () => void;
}) {
  const { formatMessage } = useFormats();
  const label = formatMessage('definition.compare');
  useReturnFocus();
  const show = useCallback(
    (parent: HTMLDivElement | null) => {
      if (!parent) return undefined;
      const view = new EditorView({
        parent,
        doc: after,
        extensions: [
          EditorView.cspNonce.of(pageNonce()),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorState.readOnly.of(true),
          EditorView.lineWrapping,
          lineNumbers(),
          yaml(),
          unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: {} }),
        ],
      });
      return () => view.destroy();
    },
    [before, after, label],
  );
  return (
    <Modal
      opened
      onClose={onClose}
      title={label}
      size="xl"
      closeButtonProps={{ 'aria-label': formatMessage('action.close') }}
    >
      {before === after ? (
        <Text>{formatMessage('definition.compare.same')}</Text>
      ) : (
        <div ref={show} className="code-editor" dir="ltr" />
      )}
    </Modal>
  );
}
