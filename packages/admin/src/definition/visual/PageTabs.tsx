import {
  closestCenter,
  DndContext,
  PointerSensor,
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { ActionIcon, Group, Menu, Tabs, TextInput, VisuallyHidden } from '@mantine/core';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

import { Dialog } from '../../kit/Dialog.tsx';
import { useFormats } from '../../messages/messages.ts';
import { useSideStep } from '../canvas/side-step.ts';
import { Sign, SignButton } from '../canvas/Sign.tsx';
import type { Outline, Page } from '../document/read-document.ts';
import { refuseStep, type Step } from '../document/steps.ts';
import { firstText, type Perform } from './use-steps.ts';

/**
 * The pages of a report as tabs, with the buttons that add, rename, move and remove them. A tab can also be
 * dragged, and moved with Alt and the arrow keys.
 */
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
  const sideStep = useSideStep();
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
          tile: { type: 'text', text: formatMessage(firstText) },
        };
  const move = (to: number, page = index) => perform({ kind: 'move-page', page, to });
  return (
    <Tabs value={String(index)} onChange={(value) => onSelect(Number(value))}>
      <Group gap={4} align="flex-end" mb="xs">
        <TabList pages={pages} index={index} onMove={move} />
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
            {(['left', 'right'] as const).map((side) => {
              const to = index + sideStep(side);
              return (
                <Menu.Item key={side} disabled={!pages[to]} onClick={() => move(to)}>
                  {formatMessage(`editor.page.${side}`)}
                </Menu.Item>
              );
            })}
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

function TabList({
  pages,
  index,
  onMove,
}: {
  pages: readonly Page[];
  index: number;
  onMove: (to: number, page?: number) => void;
}) {
  const { formatMessage } = useFormats();
  const helpId = useId();
  const list = useRef<HTMLDivElement>(null);
  const sideStep = useSideStep();
  // A click must not become a drag.
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 5 } }));
  // The focus follows the page that a key moves.
  const isKeyed = useRef(false);
  useEffect(() => {
    if (!isKeyed.current) return;
    isKeyed.current = false;
    list.current!.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
  }, [index]);
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: sideStep('left'), ArrowRight: sideStep('right') }[event.key];
    if (!event.altKey || step === undefined) return;
    event.preventDefault();
    // Arrow keys alone select a tab.
    event.stopPropagation();
    if (!pages[index + step]) return;
    isKeyed.current = true;
    onMove(index + step);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={{ announcements, screenReaderInstructions: { draggable: '' } }}
      onDragEnd={({ active, over }) => {
        if (over && over.id !== active.id) onMove(Number(over.id), Number(active.id));
      }}
    >
      <Tabs.List
        ref={list}
        aria-label={formatMessage('editor.pages')}
        aria-describedby={helpId}
        className="page-tabs"
        onKeyDownCapture={handleKey}
      >
        {pages.map((page, position) => (
          // A page has no key but its position: two can have the same name while they are typed.
          // oxlint-disable-next-line react/no-array-index-key
          <PageTab key={position} position={position}>
            {page.name || position + 1}
          </PageTab>
        ))}
      </Tabs.List>
      <VisuallyHidden id={helpId}>{formatMessage('editor.page.help')}</VisuallyHidden>
    </DndContext>
  );
}

/** The step announces what a drag did. */
const announcements = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

/** A tab that can be dragged onto another one, whose place its page takes. */
function PageTab({ position, children }: { position: number; children: ReactNode }) {
  const { formatMessage } = useFormats();
  const drag = useDraggable({ id: position });
  const drop = useDroppable({ id: position });
  const { transform, isDragging } = drag;
  return (
    <Tabs.Tab
      ref={(tab: HTMLButtonElement | null) => {
        drag.setNodeRef(tab);
        drop.setNodeRef(tab);
      }}
      value={String(position)}
      className="page-tab"
      title={formatMessage('editor.page.help')}
      data-dragging={isDragging}
      data-over={drop.isOver && !isDragging}
      style={transform ? { transform: `translateX(${transform.x}px)` } : {}}
      {...drag.listeners}
    >
      {children}
    </Tabs.Tab>
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
