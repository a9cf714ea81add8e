/** ntfy: sends messages to ntfy.sh or to a self-hosted server. */
import { z } from 'zod';
import { appendPath, buildJsonPost, defineChannel, fitLines, listResponseLinks } from './channel';
import { httpAddress, tokenText } from './fields';

/** The maximum size of a message. The limit of ntfy is 4,096 bytes. A longer message would become an attachment. */
const BYTES_MAX = 3_800;
const TITLE_MAX = 250;
const PRIORITIES = { bad: 4, good: 3, neutral: 3 } as const;
const TAGS = { bad: 'red_circle', good: 'green_circle', neutral: 'yellow_circle' } as const;

export const ntfy = defineChannel({
  type: 'ntfy',
  label: 'ntfy',
  about: 'A topic at ntfy.sh or on a server of your own.',
  fields: {
    url: httpAddress.default('https://ntfy.sh'),
    topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/, 'must be letters, digits, _ and -'),
    token: tokenText.nullish(),
    priority: z.int().min(1).max(5).nullish(),
  },
  form: {
    url: { kind: 'url', label: 'Server', placeholder: 'https://ntfy.sh', isCommon: true },
    topic: { kind: 'text', label: 'Topic' },
    token: { kind: 'secret', label: 'Access token', isCommon: true },
    priority: { kind: 'number', label: 'Priority of failures', hint: '1 to 5; usually 4.' },
  },
  requests: (config, { title, text, acknowledge, words: { link, runbook, tone } }) => [
    buildJsonPost(
      appendPath(config.url, '/'),
      {
        topic: config.topic,
        title: fitLines(title, TITLE_MAX),
        message: fitBytes(text, BYTES_MAX),
        priority: tone === 'bad' ? (config.priority ?? PRIORITIES.bad) : PRIORITIES[tone],
        tags: [TAGS[tone]],
        click: link.url,
        ...((acknowledge ?? runbook) !== null && {
          actions: [
            ...listResponseLinks(acknowledge).map((each) => ({
              action: 'view',
              ...each,
              clear: true,
            })),
            ...(runbook === null ? [] : [{ action: 'view', ...runbook }]),
          ],
        }),
      },
      config.token == null ? {} : { Authorization: `Bearer ${config.token}` },
    ),
  ],
});

/**
 * Shortens the text to whole lines of at most `max` bytes of UTF-8. If characters need several bytes, it may drop more
 * lines than necessary.
 */
function fitBytes(text: string, max: number): string {
  let fitting = fitLines(text, max);
  while (Buffer.byteLength(fitting) > max)
    fitting = fitLines(fitting, Math.floor(fitting.length / 2));
  return fitting;
}
