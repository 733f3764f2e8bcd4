import { createElement, type ComponentType } from 'react';

import { useViewer } from '../viewer-context.ts';

interface HomeProps {
  open: (reportId: string) => void;
}

let overview: ComponentType<HomeProps> | undefined;

/** Loads the list of reports, which readers of one report never need. */
export async function loadHome(): Promise<void> {
  overview = (await import('./Overview.tsx')).Overview;
}

/** The list of reports, once `loadHome` has ended. */
export function Home(props: HomeProps) {
  const { formatMessage } = useViewer().formats;
  return overview
    ? createElement(overview, props)
    : createElement('p', null, formatMessage('problem.unreachable.title'));
}
