import { Anchor, Badge, createTheme, Table, type CSSVariablesResolver } from '@mantine/core';

export const adminTheme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 8,
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'sm',
  components: {
    // Links inherit the size of the surrounding text.
    Anchor: Anchor.extend({ defaultProps: { inherit: true } }),
    // Makes wide tables scrollable by keyboard.
    TableScrollContainer: Table.ScrollContainer.extend({
      defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } },
    }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', tt: 'none', miw: 'max-content' } }),
  },
});

/** Replaces colors that have less than the contrast of WCAG AA. */
export const adminVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-indigo-light-hover': 'var(--mantine-color-indigo-1)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-teal-light-color': '#066b4c',
    '--mantine-color-yellow-light-color': '#5c3c00',
    '--mantine-color-red-light-color': '#a61e1e',
  },
  dark: {
    '--mantine-color-error': 'var(--mantine-color-red-4)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
  },
});
