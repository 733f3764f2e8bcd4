import {
  Alert,
  Anchor,
  Badge,
  createTheme,
  Table,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';

/** Lighter tints of the accent color, itself at `primaryShade`, and a darker shade. */
const accent = [5, 12, 24, 38, 54, 68, 82, 92]
  .map((percent) => `color-mix(in oklab, var(--accent) ${percent}%, white)`)
  .concat('var(--accent)', 'color-mix(in oklab, var(--accent) 84%, black)');

/** The library's greys of the dark mode, from text to background. */
const dark = [
  'var(--text)',
  'var(--text-muted)',
  'var(--text-muted)',
  'var(--line-strong)',
  'var(--line)',
  'var(--surface-raised)',
  'var(--surface-raised)',
  'var(--surface)',
  'var(--background)',
  'var(--background)',
];

/** The look of the library, from the tokens that the readers' pages use. */
export const adminTheme = createTheme({
  colors: {
    accent: accent as unknown as MantineColorsTuple,
    dark: dark as unknown as MantineColorsTuple,
  },
  primaryColor: 'accent',
  primaryShade: 8,
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontFamily: 'var(--font)',
  fontSizes: { md: '0.9375rem' },
  headings: {
    fontFamily: 'var(--font)',
    fontWeight: '650',
    sizes: {
      h2: { fontSize: '1.5rem', lineHeight: '1.3' },
      h4: { fontSize: '1.0625rem', lineHeight: '1.4' },
    },
  },
  radius: { sm: 'calc(var(--radius) * 0.75)', md: 'var(--radius)' },
  defaultRadius: 'sm',
  shadows: { xs: 'var(--shadow)' },
  components: {
    // Links inherit the size of the surrounding text.
    Anchor: Anchor.extend({ defaultProps: { inherit: true } }),
    // Makes wide tables scrollable by keyboard.
    TableScrollContainer: Table.ScrollContainer.extend({
      defaultProps: {
        scrollAreaProps: { viewportProps: { tabIndex: 0 }, offsetScrollbars: 'present' },
      },
      classNames: { scrollContainer: 'table-card' },
    }),
    Table: Table.extend({ defaultProps: { verticalSpacing: 'xs', horizontalSpacing: 'md' } }),
    Alert: Alert.extend({ defaultProps: { radius: 'md' } }),
    Badge: Badge.extend({ defaultProps: { variant: 'light', tt: 'none', miw: 'max-content' } }),
  },
});

/** The library's names of the tokens, and colors that have the contrast of WCAG AA. */
export const adminVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-dimmed': 'var(--text-muted)',
    '--mantine-color-placeholder': 'var(--text-muted)',
    '--mantine-color-anchor': 'var(--accent-strong)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-color': 'var(--text)',
    '--mantine-color-default-hover': 'var(--surface-raised)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-error': 'var(--danger)',
    '--mantine-color-accent-text': 'var(--accent-strong)',
    '--mantine-color-accent-light': 'var(--accent-soft)',
    '--mantine-color-accent-light-hover':
      'color-mix(in oklab, var(--accent-strong) 16%, var(--surface))',
    '--mantine-color-accent-light-color': 'var(--accent-strong)',
    '--mantine-color-accent-outline': 'var(--accent-strong)',
    '--mantine-color-accent-outline-hover': 'var(--accent-soft)',
  };
  return {
    variables: {},
    light: {
      ...shared,
      '--mantine-color-teal-light-color': '#066b4c',
      '--mantine-color-yellow-light-color': '#5c3c00',
      '--mantine-color-red-light-color': '#a61e1e',
    },
    dark: shared,
  };
};
