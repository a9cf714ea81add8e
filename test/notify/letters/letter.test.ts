/** Tests notices to subscribers of status pages: their content, their unsubscribe links, and their languages. */
import {
  buildLetterMail,
  buildLetterPost,
  type LetterNews,
  type OutgoingLetter,
} from '../../../src/notify/letters/letter';
import { SUBSCRIPTION_WORDS } from '../../../src/notify/letters/subscription-texts';
import { EN, type SubscriptionWord } from '../../../src/notify/letters/words/en';

const NEWS: LetterNews = {
  page: { title: 'Shop status', slug: 'shop', language: 'en' },
  postId: 'pst_1',
  title: 'Cards <fail>',
  kind: 'update',
  state: 'identified',
  names: ['Payments'],
  text: 'A **provider** is down.',
  html: '<p>A <strong>provider</strong> is down.</p>',
  atMs: Date.UTC(2026, 0, 5),
};
const LETTER: OutgoingLetter = {
  id: 'ltr_1',
  type: 'mail',
  to: 'reader@example.com',
  leaveUrl: 'https://status.example.com/status/shop/subscription?token=abc',
  news: NEWS,
};
const PARTS = { from: 'Keepwatch <alerts@example.com>', publicUrl: 'https://status.example.com' };

test('an email to a subscriber has one-click unsubscribe by POST, and the same Message-ID in every try', () => {
  const mail = buildLetterMail(LETTER, PARTS);
  expect(mail.headers).toMatchObject({
    'List-Unsubscribe': `<${LETTER.leaveUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
  expect(mail.messageId).toBe('<ltr_1@status.example.com>');
  expect(buildLetterMail(LETTER, PARTS).messageId).toBe(mail.messageId);
});

test('an email to a subscriber contains the published text, its page and an unsubscribe link, but no post id', () => {
  const mail = buildLetterMail(LETTER, PARTS);
  expect(mail.subject).toBe('[Shop status] Cards <fail>');
  for (const part of [
    'Identified',
    'Affects Payments',
    'https://status.example.com/status/shop',
    LETTER.leaveUrl,
  ])
    expect(mail.text).toContain(part);
  expect(mail.html).toContain('Cards &#60;fail&#62;');
  expect(mail.html).toContain('<strong>provider</strong>');
  expect(JSON.stringify(mail)).not.toContain('pst_1');
});

test('an email to a subscriber is in the language of the page', () => {
  const page = { ...NEWS.page, language: 'de' } as const;
  const { text } = buildLetterMail({ ...LETTER, news: { ...NEWS, page } }, PARTS);
  expect(text).toContain('Ursache gefunden');
  expect(text).toContain('Betrifft Payments');
});

test('a webhook subscriber gets the post and the unsubscribe link as JSON', () => {
  const { url, headers, body } = buildLetterPost(
    { ...LETTER, type: 'webhook', to: 'https://x.example' },
    PARTS.publicUrl,
  );
  expect(url).toBe('https://x.example');
  expect(headers).toEqual([{ name: 'Keepwatch-Event-Id', value: 'ltr_1' }]);
  expect(JSON.parse(body)).toEqual({
    id: 'ltr_1',
    type: 'status_page.update',
    page: { title: 'Shop status', url: 'https://status.example.com/status/shop' },
    post: {
      title: 'Cards <fail>',
      state: 'identified',
      affected: ['Payments'],
      text: NEWS.text,
      html: NEWS.html,
      publishedAt: '2026-01-05T00:00:00.000Z',
    },
    unsubscribeUrl: LETTER.leaveUrl,
  });
});

test('text written by people never notifies anyone or becomes a link in Slack', () => {
  const news = { ...NEWS, title: '<!channel>', text: '<https://evil.example|click>' };
  const { body } = buildLetterPost({ ...LETTER, type: 'slack', news }, PARTS.publicUrl);
  expect(body).not.toContain('<!channel>');
  expect(body).not.toContain('<https://evil.example');
  expect(body).toContain(`<${LETTER.leaveUrl}|`);
});

const holesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).toSorted();

test('every language has the same placeholders, and texts of its own', () => {
  const words = Object.keys(EN) as SubscriptionWord[];
  for (const [language, texts] of Object.entries(SUBSCRIPTION_WORDS)) {
    for (const word of words) {
      expect([language, word, holesIn(texts[word])]).toEqual([language, word, holesIn(EN[word])]);
      expect(texts[word].trim()).not.toBe('');
    }
    if (language !== 'en') expect(texts['letter.confirm']).not.toBe(EN['letter.confirm']);
  }
});
