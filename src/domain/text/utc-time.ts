/** Formats times with their time zone in the language of a status page, like `5 Jan 2026, 12:00 UTC`. Pure. */
import type { StatusPageLanguage } from '../../contracts/status-pages';

/** The locales for dates with Intl. The locale for English is `en-GB`, because it puts the day first. */
export const DATE_LOCALES: Readonly<Record<StatusPageLanguage, string>> = {
  en: 'en-GB',
  de: 'de',
  fr: 'fr',
  es: 'es',
  'pt-BR': 'pt-BR',
  ja: 'ja',
  zh: 'zh-CN',
};

const TIME = {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;

export function formatUtcTime(atMs: number, language: StatusPageLanguage): string {
  return `${new Intl.DateTimeFormat(DATE_LOCALES[language], TIME).format(atMs)} UTC`;
}
