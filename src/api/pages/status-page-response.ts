/** Renders the response times of an item over the last 24 hours: the median as text, and the hours as a line. */
import type { PublicResponseTimes } from '../../services/status-pages/response-times';
import type { PageTexts } from './status-page-text';

const WIDTH = 240;
const HEIGHT = 40;
/** The space above and below the line, so that its stroke is not cut off. */
const MARGIN = 2;

/**
 * Renders the median, and the line of the hours, folded. Empty if the page does not show response times. Hours without
 * checks are gaps in the line. The scale next to the line goes from zero to the slowest hour.
 */
export function renderResponseTimes(times: PublicResponseTimes | null, texts: PageTexts): string {
  if (times === null) return '';
  const { say, milliseconds } = texts;
  const known = times.hours.filter((hour) => hour !== null);
  const [min, max] = [Math.min(...known), Math.max(...known)];
  const median = milliseconds(times.medianMs);
  const label = say('response.range', { median, min: milliseconds(min), max: milliseconds(max) });
  return `<details class="response"><summary>${say('response.title', { median })}</summary>
<div class="plot"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}"><path d="${renderLine(times.hours, max)}"/></svg><p class="muted" aria-hidden="true"><span>${milliseconds(max)}</span><span>${milliseconds(0)}</span></p></div>
<p class="axis"><span>${say('response.first')}</span><span>${say('response.last')}</span></p></details>`;
}

/** Renders the line. The scale starts at zero, so that a small change does not look large. */
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
