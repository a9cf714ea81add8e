/** Texts of the builder. */
import type { CookieMode } from '../../../../contracts/definition';
import type { ExtractionSource } from '../draft/draft';

export const SOURCE_WORDS: Readonly<Record<ExtractionSource, string>> = {
  jsonPath: 'JSON path',
  header: 'Header',
  cookie: 'Cookie',
  finalUrl: 'Final URL',
  status: 'Status code',
  body: 'Body pattern',
};

export const SOURCE_PLACEHOLDERS: Readonly<Record<ExtractionSource, string>> = {
  jsonPath: '$.data.id',
  header: 'location',
  cookie: 'session',
  finalUrl: 'code=([^&]+)',
  status: '',
  body: 'order (\\d+)',
};

export const COOKIE_WORDS: Readonly<Record<CookieMode, string>> = {
  keep: 'Send and keep',
  ignore: 'Ignore',
  clear: 'Start without any',
};

/** The option of a step to use the setting of its scenario. */
export const INHERITED = 'Use the scenario’s setting';

export const BUILDER_TEXT = {
  addStep: 'Add step',
  addCurl: 'Paste a curl command',
  importFile: 'Import a file',
  backToSteps: 'Back to steps',
  timing: 'Timeout, retries, waiting time, cookies',
  repeated: 'Repeated until it passes',
  values: 'Values',
  response: 'Response',
  breaks: 'This breaks references',
  renamed: (from: string, to: string, count: number): string =>
    `{{${from}}} is now {{${to}}} in ${count === 1 ? 'one place' : `${count} places`}.`,
} as const;
