/** Texts for subscribers of a status page, in the language of the page. */
import type { StatusPageLanguage } from '../../contracts/status-pages';
import { DE } from './words/de';
import { EN, type SubscriptionWord, type SubscriptionWords } from './words/en';
import { ES } from './words/es';
import { FR } from './words/fr';
import { JA } from './words/ja';
import { PT_BR } from './words/pt-br';
import { ZH } from './words/zh';

export const SUBSCRIPTION_WORDS = {
  en: EN,
  de: DE,
  fr: FR,
  es: ES,
  'pt-BR': PT_BR,
  ja: JA,
  zh: ZH,
} as const satisfies Readonly<Record<StatusPageLanguage, SubscriptionWords>>;

export interface SubscriptionTexts {
  readonly language: StatusPageLanguage;
  /** Returns the text with the values filled in. The values are not escaped. */
  readonly say: (word: SubscriptionWord, values?: Readonly<Record<string, string>>) => string;
}

export function createSubscriptionTexts({
  language,
}: {
  readonly language: StatusPageLanguage;
}): SubscriptionTexts {
  const words: SubscriptionWords = SUBSCRIPTION_WORDS[language];
  return {
    language,
    say: (word, values = {}) =>
      words[word].replaceAll(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole),
  };
}
