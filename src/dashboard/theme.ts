/** Colours and fonts of the dashboard. All text has WCAG AA contrast with its background, light and dark. */
import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
} from '@mantine/core';
import { chooseByEnter } from './shared/form/choose-by-enter';

const watch: MantineColorsTuple = [
  '#e3fafc',
  '#c5f2f7',
  '#99e2ec',
  '#66d1df',
  '#3bbfd0',
  '#22a5b8',
  '#108a9c',
  '#0b7285',
  '#085c6c',
  '#064855',
];

/** Colours of fields, buttons and lines on dark surfaces. They have the hue of the surfaces. */
const dark: MantineColorsTuple = [
  '#c9ced3',
  '#b8bec4',
  '#82898f',
  '#697077',
  '#434a51',
  '#3a4147',
  '#2e3439',
  '#22262a',
  '#1d2124',
  '#141619',
];

export const theme = createTheme({
  primaryColor: 'watch',
  primaryShade: { light: 7, dark: 7 },
  colors: { watch, dark },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    '"Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  components: {
    // A dialog's <header> must not count as a banner landmark of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    // Leaves out Mantine's empty placeholder for the focus, which is not a valid child of a menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // Sets a minimum height, because Mantine's smallest button is too low for a touch target.
    Button: Button.extend({
      vars: (_theme, { size }) => ({
        root: size === 'compact-xs' ? { '--button-height': '24px' } : {},
      }),
    }),
    Select: { defaultProps: { onKeyDown: chooseByEnter } },
    MultiSelect: { defaultProps: { onKeyDown: chooseByEnter } },
    // Names every close button for screen readers.
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
  },
});

const LIGHT = {
  '--mantine-color-dimmed': '#555b61',
  '--mantine-color-placeholder': '#666c73',
  '--mantine-color-error': '#b42318',
  '--mantine-color-red-text': '#b42318',
  '--mantine-color-red-outline': '#b42318',
  '--mantine-color-red-light-color': '#b42318',
  '--mantine-color-red-filled': '#c92a2a',
  '--mantine-color-red-filled-hover': '#b42318',
  '--mantine-color-anchor': '#0b6374',
  '--mantine-color-green-outline': '#176b35',
  '--kw-up': '#176b35',
  '--kw-up-fill': '#2f9e4f',
  '--kw-degraded': '#8a4b00',
  '--kw-degraded-fill': '#e8890c',
  '--kw-down': '#b42318',
  '--kw-down-fill': '#e03131',
  '--kw-quiet': '#555b61',
  '--kw-quiet-fill': '#adb5bd',
  '--kw-maintenance': '#1a56b0',
  '--kw-maintenance-fill': '#4c8ae8',
  '--kw-spark': '#3a9fb0',
  '--kw-hover': '#f3f6f8',
  '--kw-chosen': '#e3f4f7',
  '--kw-chip': '#e6eaee',
  '--kw-surface': '#ffffff',
  '--kw-ground': '#f6f8f9',
  '--kw-shadow': 'rgb(0 0 0 / 22%)',
};

const DARK = {
  // Three levels of brightness: titles are the brightest, then text, then the labels of buttons.
  '--mantine-color-text': '#e4e7ea',
  '--mantine-color-default-color': '#cfd4d9',
  '--mantine-color-dimmed': '#a9afb5',
  '--mantine-color-placeholder': '#9aa0a6',
  '--mantine-color-error': '#ff9c94',
  '--mantine-color-red-text': '#ff9c94',
  '--mantine-color-red-outline': '#ff9c94',
  '--mantine-color-red-light-color': '#ff9c94',
  '--mantine-color-red-filled': '#c92a2a',
  '--mantine-color-red-filled-hover': '#b42318',
  '--mantine-color-anchor': '#66d1df',
  '--mantine-color-green-outline': '#7ad992',
  '--kw-up': '#7ad992',
  '--kw-up-fill': '#37b35a',
  '--kw-degraded': '#ffbf69',
  '--kw-degraded-fill': '#f08c00',
  '--kw-down': '#ff9c94',
  '--kw-down-fill': '#f03e3e',
  '--kw-quiet': '#a9afb5',
  '--kw-quiet-fill': '#5c6269',
  '--kw-maintenance': '#93bdff',
  '--kw-maintenance-fill': '#4c8ae8',
  '--kw-spark': '#4db4c5',
  '--kw-hover': '#2a2f34',
  '--kw-chosen': '#1d3a41',
  '--kw-chip': '#343a40',
  '--kw-surface': '#22262a',
  '--kw-ground': '#191c1f',
  '--kw-shadow': 'rgb(0 0 0 / 75%)',
};

/** Replaces Mantine's colours of dimmed and placeholder text, which do not have the contrast of WCAG level AA. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    // The width of fields in forms.
    '--kw-form': '440px',
    // The height of the label of a switch or checkbox.
    '--kw-toggle': '24px',
  },
  light: LIGHT,
  dark: DARK,
});
