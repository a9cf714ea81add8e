/**
 * Formats words, times and percentages of status pages, their feeds and badges, in the language of the page. Times are
 * in UTC.
 */
import { WEEKDAYS, type Weekday } from '../../contracts/escalation';
import type { PostState, StatusPageLanguage } from '../../contracts/status-pages';
import { DAY_MS, type TimeSpan } from '../../domain/health/summary';
import { formatMilliseconds, formatPercent } from '../../domain/text/figures';
import { DATE_LOCALES } from '../../domain/text/utc-time';
import type { PublicState } from '../../services/status-pages/public-status';
import { escapeHtml } from './escape-html';
import { DE } from './words/de';
import { EN, type StatusWords, type WordKey } from './words/en';
import { ES } from './words/es';
import { FR } from './words/fr';
import { JA } from './words/ja';
import { PT_BR } from './words/pt-br';
import { ZH } from './words/zh';

export const WORDS: Readonly<Record<StatusPageLanguage, StatusWords>> = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
  'pt-BR': PT_BR,
  ja: JA,
  zh: ZH,
};

const MINUTE_MS = 60_000;

type Values = Readonly<Record<string, string | number>>;

export interface PageTexts {
  readonly language: StatusPageLanguage;
  /** Inserts the values without escaping, so HTML stays HTML. */
  readonly say: (key: WordKey, values?: Values) => string;
  readonly state: (state: PublicState) => string;
  readonly overall: (state: PublicState) => string;
  readonly post: (state: PostState) => string;
  /** Returns words for the number of days, for example `1 day with an outage`. */
  readonly outageDays: (count: number) => string;
  /** Returns words for outages before the current one. Inserts the time without escaping. */
  readonly earlierOutages: (count: number, since: string) => string;
  /** Returns a `<time>` element as HTML. */
  readonly time: (atMs: number) => string;
  /** Returns HTML, for example `5 Jan 2026, 12:00 to 12:30`. The day appears once if both times are on the same day. */
  readonly span: (fromMs: number, toMs: number) => string;
  /** Returns a `<time>` element that names the time zone. */
  readonly zonedTime: (atMs: number) => string;
  /** Returns plain text with the time zone, for texts without a footer that names it. */
  readonly plainTime: (atMs: number) => string;
  readonly day: (atMs: number) => string;
  readonly month: (atMs: number) => string;
  readonly length: (ms: number) => string;
  readonly percent: (share: number) => string;
  readonly milliseconds: (ms: number) => string;
  readonly count: (number: number) => string;
  /** Returns the short name of the day, for example `Mon`. */
  readonly weekday: (day: Weekday) => string;
}

const known = new Map<StatusPageLanguage, PageTexts>();

export function getTexts(language: StatusPageLanguage): PageTexts {
  const texts = known.get(language) ?? createTexts(language);
  known.set(language, texts);
  return texts;
}

function createTexts(language: StatusPageLanguage): PageTexts {
  const words = WORDS[language];
  const locale = DATE_LOCALES[language];
  const say: PageTexts['say'] = (key, values = {}) =>
    words[key].replaceAll(/\{(\w+)\}/g, (hole, name: string) => `${values[name] ?? hole}`);
  const plurals = new Intl.PluralRules(locale);
  const formOf = (count: number) => (plurals.select(count) === 'one' ? 'one' : 'other');
  return {
    language,
    say,
    state: (state) => say(`state.${state}`),
    overall: (state) => say(`overall.${state}`),
    post: (state) => say(`post.${state}`),
    outageDays: (count) => say(`days.outages.${formOf(count)}`, { count }),
    earlierOutages: (count, since) => say(`outage.earlier.${formOf(count)}`, { count, since }),
    ...timesIn(locale, say),
    length: (ms) => lengthText(ms, say),
    ...figuresIn(locale),
  };
}

type Times = Pick<
  PageTexts,
  'time' | 'span' | 'zonedTime' | 'plainTime' | 'day' | 'month' | 'weekday'
>;

const DATE = { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' } as const;
const CLOCK = { timeZone: 'UTC', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const WEEKDAY = { timeZone: 'UTC', weekday: 'short' } as const;
const A_MONDAY_MS = Date.UTC(2026, 0, 5);
const MONTH = { timeZone: 'UTC', month: 'long', year: 'numeric' } as const;

function timesIn(locale: string, say: PageTexts['say']): Times {
  const days = new Intl.DateTimeFormat(locale, DATE);
  const clock = new Intl.DateTimeFormat(locale, CLOCK);
  const times = new Intl.DateTimeFormat(locale, { ...DATE, ...CLOCK });
  const months = new Intl.DateTimeFormat(locale, MONTH);
  const weekdays = new Intl.DateTimeFormat(locale, WEEKDAY);
  return {
    time: (atMs) => timeElement(atMs, times),
    span: (fromMs, toMs) => {
      const isOneDay = days.format(fromMs) === days.format(toMs);
      const to = timeElement(toMs, isOneDay ? clock : times, ' data-end');
      return say('time.span', { from: timeElement(fromMs, times), to });
    },
    zonedTime: (atMs) => timeElement(atMs, times, ' data-zone').replace('</', ' UTC</'),
    plainTime: (atMs) => `${times.format(atMs)} UTC`,
    day: (atMs) => days.format(atMs),
    month: (atMs) => months.format(atMs),
    weekday: (day) => weekdays.format(A_MONDAY_MS + WEEKDAYS.indexOf(day) * DAY_MS),
  };
}

function timeElement(atMs: number, format: Intl.DateTimeFormat, mark = ''): string {
  return `<time datetime="${new Date(atMs).toISOString()}"${mark}>${format.format(atMs)}</time>`;
}

function lengthText(ms: number, say: PageTexts['say']): string {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS));
  if (minutes < 60) return say('length.minutes', { minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? say('length.hours', { hours, minutes: minutes % 60 })
    : say('length.days', {
        days: Math.floor(hours / 24),
        hours: hours % 24,
        minutes: minutes % 60,
      });
}

/**
 * Returns the ends of an outage as pages show them: without seconds, and at least one minute apart. A length computed
 * from them adds up with the shown times, because time zones differ by whole minutes.
 */
export function toShownSpan(fromMs: number, toMs: number): TimeSpan {
  const floor = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;
  return { fromMs: floor(fromMs), toMs: Math.max(floor(toMs), floor(fromMs) + MINUTE_MS) };
}

/** Formats numbers as on all other pages, with the decimal separator of the language. */
function figuresIn(locale: string): Pick<PageTexts, 'percent' | 'milliseconds' | 'count'> {
  const numbers = new Intl.NumberFormat(locale);
  const parts = numbers.formatToParts(0.5);
  const mark = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  return {
    percent: (share) => formatPercent(share).replace('.', mark),
    milliseconds: (ms) => formatMilliseconds(ms).replace('.', mark),
    count: (number) => numbers.format(number),
  };
}

/** Isolates the text, so that right-to-left text does not reorder the text around it. */
export function isolateText(text: string): string {
  return `<bdi>${escapeHtml(text)}</bdi>`;
}
