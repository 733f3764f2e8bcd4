import { Anchor, Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import quickStart from 'virtual:quick-start';
import { Link } from 'wouter';

import { CopyText } from '../kit/CopyText.tsx';
import { Section } from '../kit/Section.tsx';
import { useFormats } from '../messages/messages.ts';
import type { EmbeddingSettings } from '../requests/organizations.ts';
import { useIdentity } from '../session/identity.ts';
import { useOrganizationId } from '../session/organization.ts';
import { fillSnippet, type CodeBlock, type QuickStart } from './quick-start.ts';

/** Origin of an application on a developer's machine. */
export const localOrigin = 'http://localhost:3000';

const { portal, pages, servers } = quickStart as QuickStart;

/** This framework serves its own page, so no other page is chosen. */
const withPage = 'Next.js';

/** The files of the guide with the values of the organization, for the chosen frameworks. */
export function Snippets({ settings }: { settings: EmbeddingSettings }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const { email } = useIdentity();
  const { publicUrl, addresses, embedOrigins } = settings;
  const [origin, setOrigin] = useState(embedOrigins[0] ?? localOrigin);
  const [server, setServer] = useState(servers[0]!);
  const [page, setPage] = useState(pages[0]!);
  const values = { publicUrl, address: addresses[0] ?? publicUrl, organizationId, origin };
  const fill = (code: string) => fillSnippet(code, { ...values, userEmail: email });
  return (
    <Section
      title={formatMessage('embedding.code')}
      text={
        <>
          {formatMessage('embedding.code.text')}{' '}
          <Anchor
            component={Link}
            underline="always"
            href={`/organizations/${organizationId}/settings/api-keys`}
          >
            {formatMessage('embedding.code.key')}
          </Anchor>
        </>
      }
    >
      <Group>
        <Choice
          label={formatMessage('embedding.code.server')}
          value={server.name}
          names={servers.map(({ name }) => name)}
          onChange={(name) => setServer(servers.find((each) => each.name === name)!)}
        />
        {server.name !== withPage && (
          <Choice
            label={formatMessage('embedding.code.page')}
            value={page.name}
            names={pages.map(({ name }) => name)}
            onChange={(name) => setPage(pages.find((each) => each.name === name)!)}
          />
        )}
        <Choice
          label={formatMessage('embedding.code.origin')}
          value={origin}
          names={[...new Set([...embedOrigins, localOrigin])]}
          onChange={setOrigin}
        />
      </Group>
      {!embedOrigins.includes(origin) && (
        <Text size="sm">{formatMessage('embedding.code.unlisted', { origin })}</Text>
      )}
      <Blocks blocks={portal} fill={fill} />
      {server.name !== withPage && <Blocks blocks={page.blocks} fill={fill} />}
      <Blocks blocks={server.blocks} fill={fill} />
    </Section>
  );
}

function Choice({
  label,
  value,
  names,
  onChange,
}: {
  label: string;
  value: string;
  names: string[];
  onChange: (name: string) => void;
}) {
  return (
    <Select
      label={label}
      value={value}
      data={names}
      allowDeselect={false}
      onChange={(name) => name !== null && onChange(name)}
    />
  );
}

function Blocks({ blocks, fill }: { blocks: CodeBlock[]; fill: (code: string) => string }) {
  const { formatMessage } = useFormats();
  return blocks.map(({ file, code }) => (
    <CopyText
      key={file ?? code}
      block
      value={fill(code)}
      label={file ?? formatMessage('embedding.code.commands')}
    />
  ));
}
