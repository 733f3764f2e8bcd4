import { Paper, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useId } from 'react';

import { isMessageKey, useFormats } from '../messages/messages.ts';
import type { FileReading } from '../requests/data-files.ts';
import type { Interpretation, Question } from '../requests/datasets.ts';
import { describeReading } from './describe-reading.ts';
import { ReadColumns } from './ReadColumns.tsx';

/** The chosen interpretations by their question: indexes, as texts. */
export type Answers = Readonly<Record<number, string>>;

/** Asks how a file is to be read where it has several interpretations. None is chosen at first. */
export function Questions({
  questions,
  answers,
  onChange,
}: {
  questions: readonly Question[];
  answers: Answers;
  onChange: (answers: Answers) => void;
}) {
  return (
    <Stack gap="lg">
      {questions.map((question, index) => (
        <QuestionField
          // oxlint-disable-next-line react/no-array-index-key -- the questions of a round keep their order
          key={index}
          question={question}
          value={answers[index] ?? null}
          onChange={(value) => onChange({ ...answers, [index]: value })}
        />
      ))}
    </Stack>
  );
}

function QuestionField({
  question: { about, interpretations },
  value,
  onChange,
}: {
  question: Question;
  value: string | null;
  onChange: (index: string) => void;
}) {
  const formats = useFormats();
  const { formatMessage } = formats;
  const id = useId();
  const key = `question.${about}`;
  return (
    <Radio.Group
      label={formatMessage(isMessageKey(key) ? key : 'question.other')}
      description={formatMessage('question.help')}
      value={value}
      onChange={onChange}
      withAsterisk
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs" spacing="sm">
        {interpretations.map((interpretation, index) => {
          const [label = String(index + 1), ...rest] = describeReading(formats, interpretation);
          return (
            <Paper key={JSON.stringify([interpretation.options, label])} withBorder p="sm">
              <Radio
                value={String(index)}
                label={label}
                aria-describedby={`${id}-${index}`}
                className="breakable"
              />
              <div id={`${id}-${index}`}>
                {rest.map((text) => (
                  <Text key={text} size="sm" className="breakable">
                    {text}
                  </Text>
                ))}
                <ReadColumns columns={interpretation.columns} />
              </div>
            </Paper>
          );
        })}
      </SimpleGrid>
    </Radio.Group>
  );
}

/** Whether each question has an answer. */
export const isAnswered = (questions: readonly Question[], answers: Answers): boolean =>
  questions.every((_, index) => answers[index] !== undefined);

/** Adds the options of the chosen interpretations to those that were chosen before. */
export function addAnswers(
  reading: FileReading,
  questions: readonly Question[],
  answers: Answers,
  kind: 'csv' | 'xlsx',
): FileReading {
  const chosen = questions.flatMap(
    ({ interpretations }, index) => interpretations[Number(answers[index])] ?? [],
  );
  const options = Object.assign(
    {},
    reading[kind],
    ...chosen.map((each) => each.options),
  ) as FileReading['csv'] & object;
  const fields = chosen.reduce(mergeFields, reading.fields);
  return {
    ...reading,
    ...(Object.keys(options).length > 0 && { [kind]: options }),
    ...(fields && { fields }),
  };
}

/** Two questions can be about the same column. */
function mergeFields(
  known: FileReading['fields'],
  { fields = {} }: Interpretation,
): FileReading['fields'] {
  const merged = { ...known };
  for (const [column, written] of Object.entries(fields))
    merged[column] = { ...merged[column], ...written };
  return Object.keys(merged).length > 0 ? merged : known;
}
