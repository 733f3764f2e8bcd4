import { ActionIcon, Group, Menu, Tabs, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';

import { Dialog } from '../../kit/Dialog.tsx';
import { useFormats } from '../../messages/messages.ts';
import { Sign, SignButton } from '../canvas/Sign.tsx';
import type { Outline } from '../document/read-document.ts';
import { refuseStep, type Step } from '../document/steps.ts';
import type { Perform } from './use-steps.ts';

/** The pages of a report as tabs, with the buttons that add, rename, move and remove them. */
export function PageTabs({
  outline,
  index,
  perform,
  onSelect,
  children,
}: {
  outline: Outline;
  index: number;
  perform: Perform;
  onSelect: (index: number) => void;
  /** What the selected page shows. */
  children: ReactNode;
}) {
  const { formatMessage } = useFormats();
  const { pages } = outline;
  const { name } = pages[index]!;
  const [asked, setAsked] = useState<'add' | 'rename'>();
  const toStep = (text: string): Step =>
    asked === 'rename'
      ? { kind: 'rename-page', page: index, name: text }
      : {
          kind: 'add-page',
          page: index + 1,
          name: text,
          tile: { type: 'text', text: formatMessage('editor.page.first_text') },
        };
  const move = (to: number) => perform({ kind: 'move-page', page: index, to });
  return (
    <Tabs value={String(index)} onChange={(value) => onSelect(Number(value))}>
      <Group gap={4} align="flex-end" mb="xs">
        <Tabs.List aria-label={formatMessage('editor.pages')} className="page-tabs">
          {pages.map((page, position) => (
            // A page has no key but its position: two can have the same name while they are typed.
            // oxlint-disable-next-line react/no-array-index-key
            <Tabs.Tab key={position} value={String(position)}>
              {page.name || position + 1}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Menu position="bottom-start">
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={formatMessage('editor.page.menu', { name })}
            >
              <Sign name="more" />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setAsked('rename')}>
              {formatMessage('editor.page.rename')}
            </Menu.Item>
            <Menu.Item disabled={index === 0} onClick={() => move(index - 1)}>
              {formatMessage('editor.page.left')}
            </Menu.Item>
            <Menu.Item disabled={index === pages.length - 1} onClick={() => move(index + 1)}>
              {formatMessage('editor.page.right')}
            </Menu.Item>
            <Menu.Item color="red" onClick={() => perform({ kind: 'remove-page', page: index })}>
              {formatMessage('editor.page.remove')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <SignButton
          isSubtle
          label={formatMessage('editor.page.add')}
          sign="add"
          onClick={() => setAsked('add')}
        />
      </Group>
      <Tabs.Panel value={String(index)}>{children}</Tabs.Panel>
      {asked && (
        <PageNameDialog
          title={formatMessage(asked === 'add' ? 'editor.page.add' : 'editor.page.rename')}
          name={asked === 'add' ? '' : name}
          describe={(text) => {
            const refusal = refuseStep(outline, toStep(text));
            return refusal && formatMessage(`editor.refusal.${refusal}`);
          }}
          onClose={() => setAsked(undefined)}
          onSubmit={(text) => {
            perform(toStep(text));
            setAsked(undefined);
          }}
        />
      )}
    </Tabs>
  );
}

function PageNameDialog({
  title,
  name,
  describe,
  onClose,
  onSubmit,
}: {
  title: string;
  name: string;
  /** Says why a name is not possible. */
  describe: (name: string) => string | undefined;
  onClose: () => void;
  onSubmit: (name: string) => void;
}) {
  const { formatMessage } = useFormats();
  const [value, setValue] = useState(name);
  const [refusal, setRefusal] = useState<string>();
  return (
    <Dialog
      title={title}
      submit={formatMessage('action.save')}
      isBusy={false}
      error={undefined}
      onClose={onClose}
      onSubmit={() => {
        const refused = describe(value.trim());
        setRefusal(refused);
        if (refused === undefined) onSubmit(value.trim());
      }}
    >
      <TextInput
        data-autofocus
        label={formatMessage('field.name')}
        value={value}
        error={refusal}
        maxLength={200}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
    </Dialog>
  );
}
