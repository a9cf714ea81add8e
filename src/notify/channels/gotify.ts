/** Gotify: sends messages to a self-hosted server. */
import { z } from 'zod';
import { appendPath, buildJsonPost, defineChannel, fitLines, formatLinks } from './channel';
import { httpAddress, tokenText } from './fields';

const TEXT_MAX = 8_000;
const TITLE_MAX = 250;
const PRIORITIES = { bad: 8, good: 5, neutral: 5 } as const;

export const gotify = defineChannel({
  type: 'gotify',
  label: 'Gotify',
  about: 'Token of an application, under Apps.',
  fields: { url: httpAddress, token: tokenText, priority: z.int().min(0).max(10).nullish() },
  form: {
    url: { kind: 'url', label: 'Server' },
    token: { kind: 'secret', label: 'Application token' },
    priority: { kind: 'number', label: 'Priority of failures', hint: '0 to 10; usually 8.' },
  },
  requests: ({ url, token, priority }, { title, text, words }) => [
    buildJsonPost(
      appendPath(url, '/message'),
      {
        title: fitLines(title, TITLE_MAX),
        message: `${fitLines(text, TEXT_MAX)}\n${formatLinks(words)}`,
        priority: words.tone === 'bad' ? (priority ?? PRIORITIES.bad) : PRIORITIES[words.tone],
        extras: { 'client::notification': { click: { url: words.link.url } } },
      },
      { 'X-Gotify-Key': token },
    ),
  ],
});
