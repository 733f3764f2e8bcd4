import type { PortalEmbedProps } from '@portal-embed/react';

/** What the visitor chose to see, and how. */
export interface Choice {
  /** `null` for the whole portal. */
  reportId: string | null;
  flags: Record<Flag, boolean>;
  /** `''` for every region. */
  region: string;
}

export const flags = ['hideMenu', 'hideNavbar', 'hideSidebar', 'embed'] as const;
export type Flag = (typeof flags)[number];

/** The dataset whose rows have a region. */
export const filterTable = 'Superstore';
export const regions = ['West', 'East', 'Central', 'South'];

export const noChoice: Omit<Choice, 'reportId'> = {
  flags: { hideMenu: false, hideNavbar: false, hideSidebar: false, embed: false },
  region: '',
};

/** The choice as props of the component; what is not chosen is left out. */
export function toProps(choice: Choice): PortalEmbedProps {
  const props: PortalEmbedProps = {};
  if (choice.reportId) props.reportId = choice.reportId;
  for (const flag of flags) if (choice.flags[flag]) props[flag] = true;
  if (choice.region) props.customFilters = [{ key: `${filterTable}/Region`, value: choice.region }];
  return props;
}

/** Where the chosen report opens in a tab of its own. Flags and filters stay in this page. */
export const toOpenAddress = ({ reportId }: Choice): string =>
  `/portal-embed/open${reportId ? `?reportId=${reportId}` : ''}`;

/** The choice as a developer would write it. */
export function toSource(choice: Choice): string {
  const attributes = Object.entries(toProps(choice)).map(([name, value]) => {
    if (value === true) return name;
    return typeof value === 'string' ? `${name}="${value}"` : `${name}={${JSON.stringify(value)}}`;
  });
  return `<${['PortalEmbed', ...attributes].join(' ')} />`;
}
