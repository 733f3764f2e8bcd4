import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

import { useFormats } from '../messages/messages.ts';
import type { DayCount } from '../requests/logs.ts';
import type { OrganizationOverview } from '../requests/organizations.ts';
import { useOrganizationId } from '../session/organization.ts';

const periodDays = 7;

/** The numbers of the last 7 days beside those of the 7 days before. Each leads to its entries. */
export function Figures({ overview }: { overview: OrganizationOverview }) {
  const { formatMessage, formatNumber } = useFormats();
  const base = `/organizations/${useOrganizationId()}`;
  const { days, readers, weekStart, keys, users } = overview;
  const since = new URLSearchParams({ action: '1', from: weekStart });
  const ending = keys.length + users.length;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <Figure
        label={formatMessage('overview.opened')}
        value={formatNumber(countDays(days.opened, 0))}
        note={<Change count={countDays(days.opened, 0)} before={countDays(days.opened, 1)} />}
        href={`${base}/access-log?${since}`}
      />
      <Figure
        label={formatMessage('overview.readers')}
        value={
          readers.isMinimum
            ? formatMessage('overview.at_least', { count: formatNumber(readers.count) })
            : formatNumber(readers.count)
        }
        note={readers.before !== null && <Change count={readers.count} before={readers.before} />}
        href={`${base}/access-log?${since}`}
      />
      <Figure
        label={formatMessage('overview.refusals')}
        value={formatNumber(countDays(days.refused, 0))}
        note={<Change count={countDays(days.refused, 0)} before={countDays(days.refused, 1)} />}
        href={`${base}/activity-log?refused=true`}
      />
      <Figure
        label={formatMessage('overview.ending')}
        value={formatNumber(ending)}
        note={formatMessage('overview.ending.detail', {
          keys: formatNumber(keys.length),
          users: formatNumber(users.length),
        })}
        href={
          users.length === 0 && keys.length > 0
            ? `${base}/settings/api-keys`
            : `${base}/users?expiry=soon`
        }
      />
    </SimpleGrid>
  );
}

/** The sum of the latest period, or of one before it. */
const countDays = (days: readonly DayCount[], periodsAgo: number): number =>
  days
    .slice(days.length - (periodsAgo + 1) * periodDays, days.length - periodsAgo * periodDays)
    .reduce((sum, { count }) => sum + count, 0);

function Figure({
  label,
  value,
  note,
  href,
}: {
  label: string;
  value: string;
  note: ReactNode;
  href: string;
}) {
  return (
    <Link href={href} className="card card-content figure">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text className="figure-value">{value}</Text>
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    </Link>
  );
}

/** How much more or fewer there are than in the period before. */
function Change({ count, before }: { count: number; before: number }) {
  const { formatMessage, formatNumber } = useFormats();
  if (before === 0) return formatMessage('overview.change.none');
  const percent = Math.round((count / before - 1) * 100);
  if (percent === 0) return formatMessage('overview.change.same');
  return formatMessage(percent > 0 ? 'overview.change.more' : 'overview.change.fewer', {
    percent: formatNumber(Math.abs(percent)),
  });
}
