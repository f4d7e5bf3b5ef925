import {
  type CSSVariablesResolver,
  createTheme,
  DEFAULT_THEME,
  type MantineColorsTuple,
} from '@mantine/core';
import type { FocusEvent } from 'react';
import { t } from './words/words.ts';

/** Green-teal. The filled shades are dark enough for white text (AA). */
const leaf: MantineColorsTuple = [
  '#ecfaf7',
  '#d3f2ec',
  '#a7e4d9',
  '#76d3c4',
  '#4bbfae',
  '#2ba595',
  '#148a7c',
  '#0f766e',
  '#115e59',
  '#134e4a',
];

/** Grays of the dark scheme, tinted with the accent color: text first, background last. */
const dark: MantineColorsTuple = [
  '#dfe6e6',
  '#c3cccc',
  '#98a7a8',
  '#6b7a7c',
  '#384345',
  '#2c3537',
  '#1e2628',
  '#171d1f',
  '#12181a',
  '#0d1213',
];

/** Text on a light background uses the last shade of its color. These colors are too light to read there (AA). */
const lastShades = {
  red: '#a61e1e',
  orange: '#8f3a00',
  yellow: '#734700',
  lime: '#47650a',
  green: '#1f6329',
  teal: '#05604a',
  cyan: '#0a5566',
} as const;

const readableTones = Object.fromEntries(
  Object.entries(lastShades).map(([name, last]) => [
    name,
    [
      ...DEFAULT_THEME.colors[name as keyof typeof lastShades].slice(0, 9),
      last,
    ] as unknown as MantineColorsTuple,
  ]),
);

/** The theme of the console; colors of the frame are variables in `console.css`. */
export const theme = createTheme({
  primaryColor: 'leaf',
  primaryShade: { light: 7, dark: 7 },
  colors: { ...readableTones, leaf, dark },
  autoContrast: true,
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '4px', md: '8px', lg: '12px', xl: '20px' },
  spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '32px' },
  fontSizes: { xs: '12px', sm: '14px', md: '15px', lg: '17px', xl: '20px' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '26px', lineHeight: '1.3' },
      h2: { fontSize: '22px', lineHeight: '1.3' },
      h3: { fontSize: '18px', lineHeight: '1.35' },
      h4: { fontSize: '16px', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    CloseButton: { defaultProps: { 'aria-label': t`Close` } },
    Modal: {
      defaultProps: {
        centered: true,
        padding: 'lg',
        overlayProps: { backgroundOpacity: 0.4 },
        // A click outside a dialog would discard what was typed.
        closeOnClickOutside: false,
      },
    },
    // Its focus placeholder is not a menu item, so a menu must not contain it.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Table: { defaultProps: { verticalSpacing: 'sm', horizontalSpacing: 'md', highlightOnHover: false } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
    // Typing replaces the content: a 0 does not become 01. The library calls `onFocus` from a timer, which keys can overtake,
    // so the content is selected at once as well, and again from the timer because a click sets the caret in between.
    NumberInput: {
      defaultProps: {
        onFocusCapture: (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select(),
        onFocus: (event: FocusEvent<HTMLInputElement>) => event.currentTarget.select(),
        allowLeadingZeros: false,
      },
    },
    Select: { defaultProps: { allowDeselect: false, checkIconPosition: 'right' } },
  },
});

/** Replaces library shades that are too faint to read (AA: 4.5 to 1). */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#566566',
    '--mantine-color-placeholder': '#667476',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-disabled-color': '#566566',
  },
  dark: {
    '--mantine-color-dimmed': '#98a7a8',
    '--mantine-color-placeholder': '#8b999b',
    '--mantine-color-error': '#ff9b9b',
    '--mantine-color-red-light-color': '#ff9b9b',
    '--mantine-color-disabled-color': '#98a7a8',
  },
});
