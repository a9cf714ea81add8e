/** The words for subscribers of a status page in the language of the page. */
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
} as const satisfies Readonly<Record<string, SubscriptionWords>>;

export type LetterLanguage = keyof typeof SUBSCRIPTION_WORDS;

export interface SubscriptionTexts {
  readonly language: LetterLanguage;
  /** Fills in what is given as it is: HTML stays HTML. */
  readonly say: (word: SubscriptionWord, values?: Readonly<Record<string, string>>) => string;
}

/** English for a page without a language, or with one that is not here. */
export function subscriptionTexts(page: object): SubscriptionTexts {
  const chosen = 'language' in page ? page.language : undefined;
  const language = isLanguage(chosen) ? chosen : 'en';
  const words: SubscriptionWords = SUBSCRIPTION_WORDS[language];
  return {
    language,
    say: (word, values = {}) =>
      words[word].replaceAll(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole),
  };
}

function isLanguage(given: unknown): given is LetterLanguage {
  return typeof given === 'string' && Object.hasOwn(SUBSCRIPTION_WORDS, given);
}
