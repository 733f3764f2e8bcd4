import { Anchor, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import { Link } from 'wouter';

import { useFormats } from '../messages/messages.ts';
import type { OrganizationOverview } from '../requests/organizations.ts';
import { useOrganizationId } from '../session/organization.ts';

interface Item {
  id: string;
  name: string;
  href: string;
  detail: string;
}

/** What may need an administrator: slow and failing reports, late data, and what ends soon. */
export function Lists({ overview }: { overview: OrganizationOverview }) {
  const { formatMessage, formatNumber, formatDate, formatTime } = useFormats();
  const base = `/organizations/${useOrganizationId()}`;
  const { reports, lateData, keys, users } = overview;
  const describePeriod = (hours: number) =>
    hours < 24
      ? formatMessage('overview.late.hours', { count: Math.max(hours, 1) })
      : formatMessage('overview.late.days', { count: Math.round(hours / 24) });
  const measured = formatMessage('overview.measured', { time: formatTime(reports.since) });
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <ListCard
        title={formatMessage('overview.failing')}
        empty={formatMessage('overview.failing.none')}
        note={measured}
        items={reports.failing.map(({ id, name, failures, computations }) => ({
          id,
          name,
          href: `${base}/reports/${id}/edit`,
          detail: formatMessage('overview.failing.detail', {
            count: failures,
            computations: formatNumber(computations),
          }),
        }))}
      />
      <ListCard
        title={formatMessage('overview.slow')}
        empty={formatMessage('overview.slow.none')}
        note={measured}
        items={reports.slow.map(({ id, name, medianMs }) => ({
          id,
          name,
          href: `${base}/reports/${id}/edit`,
          detail: formatMessage('overview.slow.detail', {
            seconds: formatNumber(Number((medianMs / 1_000).toFixed(medianMs < 1_000 ? 2 : 1))),
          }),
        }))}
      />
      <ListCard
        title={formatMessage('overview.late')}
        empty={formatMessage('overview.late.none')}
        items={lateData.map(({ id, name, updatedAt, usualHours }) => ({
          id,
          name,
          href: `${base}/datasets/${id}`,
          detail: formatMessage('overview.late.detail', {
            date: formatDate(updatedAt),
            period: describePeriod(usualHours),
          }),
        }))}
      />
      <ListCard
        title={formatMessage('overview.expiring')}
        empty={formatMessage('overview.expiring.none')}
        items={[
          ...keys.map(({ id, name, expiresAt }) => ({
            id,
            name,
            href: `${base}/settings/api-keys`,
            detail: formatMessage('overview.expires.key', { date: formatDate(expiresAt) }),
          })),
          ...users.map(({ id, email, expiresAt }) => ({
            id,
            name: email,
            href: `${base}/users/${id}`,
            detail: formatMessage('overview.expires.user', { date: formatDate(expiresAt) }),
          })),
        ]}
      />
    </SimpleGrid>
  );
}

function ListCard({
  title,
  items,
  empty,
  note,
}: {
  title: string;
  items: readonly Item[];
  /** Instead of the list, if there is nothing in it. */
  empty: string;
  note?: ReactNode;
}) {
  const id = useId();
  return (
    <Stack gap="xs" component="section" aria-labelledby={id} className="card card-content">
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      {items.length === 0 ? (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      ) : (
        <ul className="plain-list">
          {items.map((item) => (
            <li key={item.id}>
              <Group justify="space-between" gap="0 var(--mantine-spacing-md)" align="baseline">
                <Anchor component={Link} href={item.href} size="sm" className="breakable">
                  {item.name}
                </Anchor>
                <Text size="sm" c="dimmed">
                  {item.detail}
                </Text>
              </Group>
            </li>
          ))}
        </ul>
      )}
      {note !== undefined && (
        <Text size="xs" c="dimmed" mt="auto">
          {note}
        </Text>
      )}
    </Stack>
  );
}
