/** Renders a line of a status page as an SVG badge: a name and a state. */
import type { PublicItem, PublicState } from '../../../services/status-pages/public-status';
import { escapeHtml } from '../escape-html';
import type { PageTexts } from '../status-page-text';

export type BadgeMetric = 'state' | 'uptime' | 'response';

type BadgeItem = Pick<PublicItem, 'name' | 'state' | 'availability' | 'responseTimes'>;

/** Each colour has a contrast of at least 4.5 to the white text. */
const COLOURS: Readonly<Record<PublicState, string>> = {
  up: '#116329',
  degraded: '#7d4e00',
  down: '#a40e26',
  maintenance: '#0550ae',
  unknown: '#57606a',
};
const NAME_COLOUR = '#32383f';
const NAME_CHARACTERS_MAX = 60;
const CHARACTER_WIDTH = 7;
const segmenter = new Intl.Segmenter('en');
const PADDING = 6;

export function renderBadge(item: BadgeItem, metric: BadgeMetric, texts: PageTexts): string {
  return renderLine(item.name, badgeValue(item, metric, texts), item.state);
}

/** Renders a badge with this name and value, in the colour of the state. */
export function renderLine(given: string, value: string, state: PublicState): string {
  const name = shorten(given);
  const [nameWidth, valueWidth] = [measureWidth(name), measureWidth(value)];
  const width = nameWidth + valueWidth;
  const label = escapeHtml(`${name}: ${value}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}"><title>${label}</title>
<rect width="${nameWidth}" height="20" fill="${NAME_COLOUR}"/><rect x="${nameWidth}" width="${valueWidth}" height="20" fill="${COLOURS[state]}"/>
<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">${textAt(name, PADDING, nameWidth)}${textAt(value, nameWidth + PADDING, valueWidth)}</g></svg>
`;
}

function badgeValue(item: BadgeItem, metric: BadgeMetric, texts: PageTexts): string {
  const { state, availability, responseTimes } = item;
  if (metric === 'state') return texts.state(state);
  if (metric === 'uptime') return availability === null ? '–' : texts.percent(availability);
  return responseTimes === null ? '–' : texts.milliseconds(responseTimes.medianMs);
}

function textAt(text: string, x: number, width: number): string {
  const length = width - 2 * PADDING;
  return `<text x="${x}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs">${escapeHtml(text)}</text>`;
}

function measureWidth(text: string): number {
  return splitCharacters(text).length * CHARACTER_WIDTH + 2 * PADDING;
}

function shorten(name: string): string {
  const characters = splitCharacters(name);
  if (characters.length <= NAME_CHARACTERS_MAX) return name;
  return `${characters.slice(0, NAME_CHARACTERS_MAX - 1).join('')}…`;
}

/** Splits text into graphemes, which people perceive as characters. */
function splitCharacters(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
