import { Box, Combobox, ScrollArea, TextInput, useCombobox } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useId, useState, type KeyboardEvent, type Ref } from 'react';

import { useFormats } from '../messages/messages.ts';
import type { useSearch } from './use-search.ts';

export interface Choice {
  value: string;
  label: string;
  /** The heading in the list under which this choice appears. */
  group?: string;
}

/**
 * A field that searches items on the service. Choosing one clears the field.
 *
 * The list shows only the answer to the current text, so Enter never chooses an item that was found for
 * an earlier text. Once the user types, its first item is active.
 */
export function Picker<Answer>({
  ref,
  label,
  description,
  placeholder,
  noneFound,
  search: { text, search, setText },
  found,
  listChoices,
  onChoose,
  isMultiple = false,
}: {
  ref?: Ref<HTMLInputElement> | undefined;
  label: string;
  description?: string;
  placeholder?: string;
  /** The text of the list if the answer is empty. */
  noneFound?: string;
  search: Pick<ReturnType<typeof useSearch>, 'text' | 'search' | 'setText'>;
  /** The request for `search`. */
  found: UseQueryResult<Answer>;
  listChoices: (answer: Answer) => readonly Choice[];
  onChoose: (value: string) => void;
  /**
   * Lets the user choose several items: the list stays open after a choice. It opens above the label,
   * so that it covers neither the label nor the chosen items. The field is as wide as the others of its
   * form.
   */
  isMultiple?: boolean;
}) {
  const { formatMessage } = useFormats();
  const combobox = useCombobox();
  const isOpen = combobox.dropdownOpened;
  const id = useId();
  const [reached, setReached] = useState<string>();
  const isAnswered = text === search && !found.isPlaceholderData;
  const choices = isAnswered && found.data !== undefined ? listChoices(found.data) : [];
  const first = text.trim() === '' ? undefined : choices[0];
  const active = choices.find(({ value }) => value === reached) ?? first;
  const optionId = (value: string) => `${id}-${value}`;
  const activeId = isOpen && active ? optionId(active.value) : undefined;

  useEffect(() => {
    if (activeId !== undefined)
      document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const changeText = (next: string) => {
    setText(next);
    setReached(undefined);
  };
  const choose = (value: string) => {
    changeText('');
    if (!isMultiple) combobox.closeDropdown();
    onChoose(value);
  };
  const move = (step: 1 | -1) => {
    const at = active ? choices.indexOf(active) + step : step === 1 ? 0 : -1;
    if (isOpen) setReached(choices.at(at % choices.length)?.value);
    combobox.openDropdown();
  };
  const handleKey = (event: KeyboardEvent) => {
    // An input method uses these keys itself. Safari marks them only with this code.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const keys: Partial<Record<string, () => void>> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      // Enter must not submit the surrounding form.
      Enter: () => (isOpen && active ? choose(active.value) : combobox.openDropdown()),
      Escape: combobox.closeDropdown,
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  const option = ({ value, label: name }: Choice) => (
    <Combobox.Option
      key={value}
      value={value}
      id={optionId(value)}
      selected={value === active?.value}
      aria-selected={value === active?.value}
    >
      {name}
    </Combobox.Option>
  );
  const groups = [...new Set(choices.map(({ group }) => group))];
  const describeEmpty = () => {
    if (found.isError) return formatMessage('error.title');
    if (!isAnswered) return formatMessage('state.loading');
    return noneFound ?? formatMessage('choose.none');
  };
  return (
    <Combobox
      store={combobox}
      keepMounted={false}
      position={isMultiple ? 'top' : 'bottom'}
      shadow="md"
      onOptionSubmit={choose}
    >
      <Combobox.DropdownTarget>
        <Box maw={isMultiple ? undefined : 420}>
          <Combobox.EventsTarget
            withKeyboardNavigation={false}
            withExpandedAttribute
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            aria-activedescendant={activeId}
            aria-autocomplete="list"
          >
            <TextInput
              ref={ref}
              label={label}
              description={description}
              placeholder={placeholder}
              rightSection={<Combobox.Chevron />}
              rightSectionPointerEvents="none"
              value={text}
              onChange={(event) => {
                changeText(event.currentTarget.value);
                combobox.openDropdown();
              }}
              onKeyDown={handleKey}
              onFocus={() => combobox.openDropdown()}
              onClick={() => combobox.openDropdown()}
              onBlur={() => {
                combobox.closeDropdown();
                changeText('');
              }}
            />
          </Combobox.EventsTarget>
        </Box>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Options id={id} aria-label={label}>
          <ScrollArea.Autosize mah={220} type="scroll" scrollbarSize="var(--combobox-padding)">
            {groups.map((group) => {
              const options = choices.filter((choice) => choice.group === group).map(option);
              return group === undefined ? (
                options
              ) : (
                <Combobox.Group key={group} label={group}>
                  {options}
                </Combobox.Group>
              );
            })}
          </ScrollArea.Autosize>
          {choices.length === 0 && <Combobox.Empty>{describeEmpty()}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
