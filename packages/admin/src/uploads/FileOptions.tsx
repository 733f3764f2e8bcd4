import {
  Button,
  Checkbox,
  Collapse,
  List,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import type { Encoding } from '@portal-embed/report-model';
import { useId, useState } from 'react';

import { useFormats } from '../messages/messages.ts';
import type { FileReading } from '../requests/data-files.ts';
import { describeReading, showDateFormat } from './describe-reading.ts';

type Options = Readonly<Record<string, unknown>>;

const dateFormats = ['%d.%m.%Y', '%d/%m/%Y', '%m/%d/%Y', '%Y/%m/%d', '%Y%m%d', '%d.%m.%y'];

/** The type names all of them. Their list is in a module with zod, which no page loads. */
const encodings = Object.keys({
  'utf-8': true,
  'utf-16': true,
  'latin-1': true,
  'windows-1252': true,
  'windows-1250': true,
  'windows-1251': true,
  'windows-1254': true,
  'iso-8859-2': true,
  'iso-8859-15': true,
  macintosh: true,
  ibm850: true,
  ibm866: true,
  'koi8-r': true,
  shift_jis: true,
  gb18030: true,
  'utf-8-or-windows-1252': true,
} satisfies Record<Encoding, true>);

const choice = (value: string, label: string) => ({ value, label });

/** Says how a file is read, and changes it. */
export function FileOptions({
  found,
  kind,
  fields,
  isBusy,
  onRead,
}: {
  /** Options that are used, whether they were found or chosen. */
  found: Options;
  kind: 'csv' | 'xlsx';
  fields: FileReading['fields'];
  isBusy: boolean;
  /** Reads the file again with the changed options. */
  onRead: (changed: Options) => void;
}) {
  const formats = useFormats();
  const { formatMessage } = formats;
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [changed, setChanged] = useState<Options>({});
  const options: Options = { ...found, ...changed };
  const set = (name: string, value: unknown) => setChanged({ ...changed, [name]: value });
  const select = (name: string, choices: readonly { value: string; label: string }[]) => {
    const value = options[name];
    const current = typeof value === 'string' ? value : '';
    const known = current === '' || choices.some((each) => each.value === current);
    return {
      value: current,
      data: [
        ...choices,
        ...(known ? [] : [choice(current, name === 'date' ? showDateFormat(current) : current)]),
      ],
      onChange: (event: { currentTarget: { value: string } }) => {
        const { value: next } = event.currentTarget;
        set(name, next === '' ? undefined : next);
      },
    };
  };
  const count = (name: string) => ({
    value: typeof options[name] === 'number' ? options[name] : 0,
    min: 0,
    max: 1_000,
    onChange: (value: number | string) => set(name, Number(value)),
  });
  const none = choice('', formatMessage('reading.none'));
  const texts = describeReading(formats, { options: found, fields });
  return (
    <Stack gap="xs" component="section" aria-labelledby={`${id}-title`}>
      <Title order={3} size="h5" id={`${id}-title`}>
        {formatMessage('reading.title')}
      </Title>
      {texts.length > 0 && (
        <List size="sm">
          {texts.map((text) => (
            <List.Item key={text} className="breakable">
              {text}
            </List.Item>
          ))}
        </List>
      )}
      <div>
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          aria-controls={`${id}-form`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {formatMessage('reading.change')}
        </Button>
      </div>
      <Collapse expanded={isOpen} id={`${id}-form`}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            {kind === 'csv' ? (
              <>
                <NativeSelect
                  label={formatMessage('reading.option.delimiter')}
                  {...select('delimiter', [
                    choice(',', formatMessage('reading.character.comma')),
                    choice(';', formatMessage('reading.character.semicolon')),
                    choice('\t', formatMessage('reading.character.tab')),
                    choice('|', formatMessage('reading.character.bar')),
                  ])}
                />
                <NativeSelect
                  label={formatMessage('reading.option.encoding')}
                  {...select('encoding', [
                    none,
                    ...encodings.map((each) =>
                      choice(
                        each,
                        each === 'utf-8-or-windows-1252' ? formatMessage('reading.mixed') : each,
                      ),
                    ),
                  ])}
                />
              </>
            ) : (
              <TextInput
                label={formatMessage('reading.option.sheet')}
                value={typeof options['sheet'] === 'string' ? options['sheet'] : ''}
                onChange={(event) => set('sheet', event.currentTarget.value || undefined)}
              />
            )}
            <NativeSelect
              label={formatMessage('reading.option.decimal')}
              {...select('decimal', [
                none,
                choice('.', formatMessage('reading.character.point')),
                choice(',', formatMessage('reading.character.comma')),
              ])}
            />
            <NativeSelect
              label={formatMessage('reading.option.thousands')}
              {...select('thousands', [
                none,
                choice('.', formatMessage('reading.character.point')),
                choice(',', formatMessage('reading.character.comma')),
                choice(' ', formatMessage('reading.character.space')),
                choice("'", formatMessage('reading.character.apostrophe')),
              ])}
            />
            <NativeSelect
              label={formatMessage('reading.option.date')}
              {...select('date', [
                none,
                ...dateFormats.map((each) => choice(each, showDateFormat(each))),
              ])}
            />
            <NumberInput label={formatMessage('reading.option.skip')} {...count('skip')} />
            <NumberInput
              label={formatMessage('reading.option.skip_footer')}
              {...count('skipFooter')}
            />
            <Textarea
              label={formatMessage('reading.option.nulls')}
              autosize
              minRows={1}
              value={Array.isArray(options['nulls']) ? options['nulls'].join('\n') : ''}
              onChange={(event) => {
                const { value } = event.currentTarget;
                set('nulls', value === '' ? undefined : value.split('\n'));
              }}
            />
          </SimpleGrid>
          <Checkbox
            label={formatMessage('reading.option.header')}
            checked={options['header'] !== false}
            onChange={(event) => set('header', event.currentTarget.checked)}
          />
          <div>
            <Button
              size="xs"
              loading={isBusy}
              disabled={Object.keys(changed).length === 0}
              onClick={() => {
                onRead(clean(changed));
                setChanged({});
              }}
            >
              {formatMessage('reading.again')}
            </Button>
          </div>
        </Stack>
      </Collapse>
    </Stack>
  );
}

/** An empty line of texts without a value has no meaning. */
const clean = (options: Options): Options =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.filter((text) => text !== '') : value,
    ]),
  );
