import { Anchor, Stack, Text } from '@mantine/core';

import { useFormats } from '../messages/messages.ts';
import type { ViewUrl } from '../requests/users.ts';

/** The portal behind a URL that opens once: in a frame, or behind a link without a portal address. */
export function PortalFrame({ url, isFrameable, title }: ViewUrl & { title: string }) {
  const { formatMessage } = useFormats();
  if (!isFrameable)
    return (
      <Stack align="flex-start">
        <Text>{formatMessage('view_as.no_address')}</Text>
        <Anchor href={url} target="_blank" rel="noopener noreferrer">
          {formatMessage('view_as.open')}
        </Anchor>
      </Stack>
    );
  return (
    <iframe
      key={url}
      // The portal has another origin, so it cannot remove its sandbox.
      // oxlint-disable-next-line react/iframe-missing-sandbox
      sandbox="allow-scripts allow-same-origin allow-popups"
      className="portal-frame"
      src={url}
      title={title}
    />
  );
}
