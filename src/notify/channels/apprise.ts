/** Sends alerts through an Apprise API server, which gives access to about a hundred other services. */
import { z } from 'zod';
import { formatDetail } from '../post';
import {
  appendPath,
  buildJsonPost,
  type Config,
  defineChannel,
  fitLines,
  formatLinks,
} from './channel';
import { httpAddress, lineText } from './fields';

const URLS_MAX = 20;
const TEXT_MAX = 8_000;
const TITLE_MAX = 250;
const TYPES = { bad: 'failure', good: 'success', neutral: 'warning' } as const;

export const apprise = defineChannel({
  type: 'apprise',
  label: 'Apprise',
  about: 'An Apprise API server, with a stored configuration or with Apprise URLs.',
  fields: {
    url: httpAddress,
    configKey: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,128}$/, 'must be letters, digits, _ and -')
      .nullish(),
    urls: z.array(lineText).min(1).max(URLS_MAX).nullish(),
    tags: z.array(lineText.max(100)).max(URLS_MAX).nullish(),
  },
  form: {
    url: { kind: 'url', label: 'Server' },
    configKey: {
      kind: 'text',
      label: 'Configuration key',
      isCommon: true,
      hint: 'Key of a configuration that is stored on the server.',
    },
    urls: {
      kind: 'secretList',
      label: 'Apprise URLs',
      isCommon: true,
      hint: 'Instead of a key, like mailto://… or signal://….',
    },
    tags: { kind: 'list', label: 'Tags', hint: 'Notifies only services with one of these tags.' },
  },
  findProblems: ({ configKey, urls }: Config) => {
    const count = [configKey, urls].filter((value) => value != null).length;
    const message = 'must be given if urls is empty, and left out otherwise';
    return count === 1 ? [] : [{ path: 'configKey', message }];
  },
  requests: ({ url, configKey, urls, tags }, { title, text, words }) => [
    buildJsonPost(appendPath(url, configKey == null ? '/notify' : `/notify/${configKey}`), {
      title: fitLines(title, TITLE_MAX),
      body: `${fitLines(text, TEXT_MAX)}\n${formatLinks(words)}`,
      type: TYPES[words.tone],
      format: 'text',
      ...(urls == null ? {} : { urls: urls.join(',') }),
      ...(tags == null || tags.length === 0 ? {} : { tag: tags.join(',') }),
    }),
  ],
  read: (response) => {
    if (response.status === 204)
      return { kind: 'refused', detail: 'Receiver response: 204 (nothing is configured there).' };
    // 424 means that some of Apprise's services failed. Through the other services, the retry sends the alert a second
    // time.
    if (response.status === 424)
      return { kind: 'later', detail: formatDetail(response), afterMs: null };
    return null;
  },
});
