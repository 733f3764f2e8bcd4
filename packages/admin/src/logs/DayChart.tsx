import { Anchor, Box, Group, Text } from '@mantine/core';
import { Link } from 'wouter';

import { useFormats } from '../messages/messages.ts';
import type { DayCount } from '../requests/logs.ts';

const height = 96;
const gap = 2;

/** A bar for each day. Screen readers get the sum. */
export function DayChart({
  days,
  label,
  href,
}: {
  days: readonly DayCount[];
  label: string;
  /** Page with the counted entries. Default: no link. */
  href?: string;
}) {
  const { formatMessage, formatNumber, formatDay } = useFormats();
  const counts = days.map(({ count }) => count);
  const most = Math.max(...counts, 1);
  const sum = counts.reduce((total, count) => total + count, 0);
  const summary = formatMessage('chart.summary', { count: sum, days: days.length });
  return (
    <Box component="figure" m={0}>
      <Group component="figcaption" gap="0 var(--mantine-spacing-xs)">
        <Text span size="sm">
          {label}
        </Text>
        <Text span size="sm" c="dimmed">
          {href === undefined ? (
            summary
          ) : (
            <Anchor
              component={Link}
              href={href}
              underline="always"
              aria-label={`${label}: ${summary}`}
            >
              {summary}
            </Anchor>
          )}
        </Text>
      </Group>
      <svg
        role="img"
        aria-label={`${label}: ${summary}`}
        viewBox={`0 0 ${days.length * 10} ${height}`}
        preserveAspectRatio="none"
        width="100%"
        height={height}
      >
        <line
          x1="0"
          x2="100%"
          y1={height - 0.5}
          y2={height - 0.5}
          stroke="currentColor"
          opacity="0.3"
        />
        {days.map(({ day, count }, index) => (
          <rect
            key={day}
            x={index * 10 + gap / 2}
            width={10 - gap}
            y={height - (count / most) * (height - 4)}
            height={(count / most) * (height - 4)}
            fill="var(--mantine-primary-color-filled)"
          >
            <title>
              {formatMessage('chart.day', { day: formatDay(day), value: formatNumber(count) })}
            </title>
          </rect>
        ))}
      </svg>
      {/* The days are drawn from left to right in each language, as in the readers' charts. */}
      <Group justify="space-between" dir="ltr" aria-hidden>
        {[days.at(0), days.at(-1)].map(
          (end) =>
            end && (
              <Text key={end.day} size="xs" c="dimmed">
                {formatDay(end.day)}
              </Text>
            ),
        )}
      </Group>
    </Box>
  );
}
