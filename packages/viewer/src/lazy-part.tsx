import { lazy, type ComponentType } from 'react';

import { useViewer } from './viewer-context.ts';

function NotLoaded() {
  const { formatMessage } = useViewer().formats;
  return <p>{formatMessage('problem.unreachable.title')}</p>;
}

/** A part of the page whose code loads when it is first shown. */
export const lazyPart = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => ({ default: await load().catch((): ComponentType<Props> => NotLoaded) }));
