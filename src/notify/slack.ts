/** Alerts to Slack through an incoming webhook, as Block Kit. Nothing in a name can ping anybody. */
import { outcomeOfPost, type PostJson } from './post-json';
import type { Sender } from './sender';
import { type AlertWords, wordsOf } from './words';

/** Block Kit takes at most ten fields per section, each of at most 2,000 characters. */
const FIELDS_PER_SECTION = 10;
const FIELDS_MAX = 40;
const TEXT_MAX = 1_500;
/** Addresses in names and in what a target said become no links: only ours is one. */
const VERBATIM = { type: 'mrkdwn', verbatim: true } as const;
const EMOJI: Record<AlertWords['tone'], string> = {
  bad: ':red_circle:',
  good: ':large_green_circle:',
  neutral: ':large_yellow_circle:',
};

export function createSlackSender(post: PostJson, publicUrl: string): Sender<'slack'> {
  return async ({ alert, address }) => {
    const body = JSON.stringify(slackMessage(wordsOf(alert, publicUrl)));
    return outcomeOfPost(await post({ url: address.url, headers: [], body }));
  };
}

export function slackMessage({ headline, facts, link, tone }: AlertWords): object {
  const fields = facts.slice(0, FIELDS_MAX).map(({ name, value }) => ({
    ...VERBATIM,
    text: `*${escapeSlack(name)}*\n${escapeSlack(value)}`,
  }));
  const sections: object[] = [];
  for (let start = 0; start < fields.length; start += FIELDS_PER_SECTION)
    sections.push({ type: 'section', fields: fields.slice(start, start + FIELDS_PER_SECTION) });
  const hidden = facts.length - fields.length;
  return {
    text: `${EMOJI[tone]} ${escapeSlack(headline)}`,
    unfurl_links: false,
    blocks: [
      {
        type: 'section',
        text: { ...VERBATIM, text: `${EMOJI[tone]} *${escapeSlack(headline)}*` },
      },
      ...sections,
      {
        type: 'context',
        elements: [
          {
            ...VERBATIM,
            text: `<${link.url}|${escapeSlack(link.label)}>${hidden > 0 ? ` · and ${hidden} more` : ''}`,
          },
        ],
      },
    ],
  };
}

/** Slack's own escapes, and marks of emphasis taken for what they are: text. */
export function escapeSlack(text: string): string {
  return text
    .slice(0, TEXT_MAX)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[*_~`]/g, (mark) => `\u200b${mark}`);
}
