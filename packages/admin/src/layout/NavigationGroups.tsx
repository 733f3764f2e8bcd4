import { NavLink, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'wouter';

import { useFormats } from '../messages/messages.ts';
import type { NavigationEntry, NavigationGroup } from './navigation.ts';

/** The links of an organization, in groups. */
export function NavigationGroups({
  groups,
  current,
  base,
  onLeave,
}: {
  groups: readonly NavigationGroup[];
  /** The entry whose page is open. */
  current: NavigationEntry | undefined;
  /** Address of the organization. */
  base: string;
  /** Called when a link is followed. */
  onLeave: () => void;
}) {
  return (
    <Stack gap="md">
      {groups.map((group) => (
        <Group key={group.label} group={group} current={current} base={base} onLeave={onLeave} />
      ))}
    </Stack>
  );
}

function Group({
  group: { label, entries },
  current,
  base,
  onLeave,
}: Omit<Parameters<typeof NavigationGroups>[0], 'groups'> & { group: NavigationGroup }) {
  const { formatMessage } = useFormats();
  const id = useId();
  return (
    <div>
      {label !== null && (
        <Text id={id} size="xs" fw={600} c="dimmed" px="sm" pb={4}>
          {formatMessage(label)}
        </Text>
      )}
      <ul className="navigation-list" aria-labelledby={label === null ? undefined : id}>
        {entries.map((entry) => (
          <li key={entry.path}>
            <NavLink
              className="navigation-link"
              component={Link}
              href={base + entry.path}
              label={formatMessage(entry.label)}
              leftSection={<entry.icon size={18} stroke={1.75} aria-hidden />}
              active={entry === current}
              aria-current={entry === current ? 'page' : undefined}
              onClick={onLeave}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
