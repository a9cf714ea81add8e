/** Renders the response times of an item over the last 24 hours: the median as text, and the hours as a line. */
import type { PublicResponseTimes } from '../../services/status-pages/response-times';
import type { PageTexts } from './status-page-text';

const WIDTH = 240;
const HEIGHT = 32;
/** The space above and below the line, so that its stroke is not cut off. */
const MARGIN = 2;

/** Renders the response times. Empty if the page does not show them. Hours without checks are gaps in the line. */
export function renderResponseTimes(times: PublicResponseTimes | null, texts: PageTexts): string {
  if (times === null) return '';
  const known = times.hours.filter((hour) => hour !== null);
  const [min, max] = [Math.min(...known), Math.max(...known)];
  const median = texts.milliseconds(times.medianMs);
  const range = { median, min: texts.milliseconds(min), max: texts.milliseconds(max) };
  const label = texts.say('response.range', range);
  return `<div class="response"><p class="muted">${texts.say('response.title', { median })}</p>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"><path d="${renderLine(times.hours, max)}"/></svg></div>`;
}

/** The scale starts at zero, so that a small change does not look large. */
function renderLine(hours: readonly (number | null)[], max: number): string {
  const step = WIDTH / Math.max(1, hours.length - 1);
  const points = hours.map((value, index) => {
    if (value === null) return null;
    const share = max === 0 ? 0 : value / max;
    return `${round(index * step)} ${round(HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN))}`;
  });
  return points
    .map((point, index) => {
      if (point === null) return '';
      const isAlone = (points[index + 1] ?? null) === null && (points[index - 1] ?? null) === null;
      if (isAlone) return `M${point}h0.1`;
      return `${(points[index - 1] ?? null) === null ? 'M' : 'L'}${point}`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
