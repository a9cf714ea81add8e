/** Tests posts on public pages, their months and their feeds. Nothing unpublished ever appears there. */
import fc from 'fast-check';
import {
  FEED_TYPES,
  type FeedFile,
  renderStatusFeed,
} from '../../../src/api/pages/feeds/status-feed';
import { renderStatuspageFile } from '../../../src/api/pages/feeds/statuspage-api';
import {
  renderPostPreview,
  renderStatusMonth,
  renderStatusPage,
} from '../../../src/api/pages/status-page-html';
import { POST_STATES } from '../../../src/contracts/status-pages';
import { draftWords, withEnd, withReturn } from '../../../src/domain/status-pages/incident-post';
import {
  isOver,
  type Post,
  withPublication,
  withUpdate,
} from '../../../src/domain/status-pages/post';
import { type ShownPost, toPublicPosts } from '../../../src/services/status-pages/public-posts';
import { renderMarkdown } from '../../../src/text/markdown';
import { NOW, postOf, updateOf } from '../../domain/status-pages/example-post';
import { propertyOptions } from '../../support/property-runs';

const page = { groups: [{ name: 'Shop', items: [{ id: 'mon_1', name: 'Payments' }] }] };
/** Renders the posts as the service does, but without its worker threads. */
const showPosts = (posts: readonly Post[]): readonly ShownPost[] =>
  toPublicPosts(page, posts).map(({ updates, postMortem, ...post }) => ({
    ...post,
    updates: updates.map((update) => ({ ...update, html: renderMarkdown(update.text) })),
    postMortem: postMortem === null ? null : { text: postMortem, html: renderMarkdown(postMortem) },
  }));

const SHOP_URL = 'https://watch.example/status/shop';
const PAGE_URLS = { url: SHOP_URL, id: SHOP_URL };
const LOOK = { logo: null, accent: null, theme: 'auto', language: 'en' } as const;

const statusOf = (posts: readonly ShownPost[]) =>
  ({
    title: 'Shop status',
    description: null,
    overall: 'up',
    groups: [],
    availability: null,
    readAtMs: NOW,
    outages: [],
    maintenance: [],
    posts,
    newestPostAtMs: NOW,
    showBadges: false,
    showResponseTimes: false,
    look: LOOK,
    service: null,
  }) as const;

const feedOf = (file: FeedFile, posts: readonly ShownPost[]) =>
  renderStatusFeed(file, statusOf(posts), PAGE_URLS);

const pageOf = (posts: readonly ShownPost[]) =>
  renderStatusPage(statusOf(posts), { nowMs: NOW, slug: 'shop' });

/** Renders the files that Statuspage tools read. */
const filesOf = (posts: readonly ShownPost[]) =>
  (['summary.json', 'incidents.json', 'scheduled-maintenances.json'] as const).map((file) =>
    renderStatuspageFile(file, {
      page: { slug: 'shop', createdAtMs: NOW, updatedAtMs: NOW },
      status: statusOf(posts),
      url: SHOP_URL,
      nowMs: NOW,
    }),
  );

/** Returns everything that outsiders can read of the posts, as one text. */
function everything(posts: readonly Post[]): string {
  const shown = showPosts(posts);
  const month = { posts: shown, outages: [], startMs: NOW, hasEarlier: true, hasLater: false };
  return [
    pageOf(shown).html,
    renderStatusMonth({ title: 'Shop', look: LOOK }, month, { slug: 'shop', fontUrl: null }).html,
    ...(Object.keys(FEED_TYPES) as FeedFile[]).map((file) => feedOf(file, shown)),
  ].join('\n');
}

const words = draftWords({ templates: [] }, ['Payments'], 'en');

type Step = 'draft' | 'update' | 'publish' | 'end' | 'return' | 'rewrite' | 'learn' | 'delete';
const STEPS = [
  'draft',
  'update',
  'publish',
  'end',
  'return',
  'rewrite',
  'learn',
  'delete',
] as const;

interface Life {
  post: Post | null;
  /** Texts that outsiders must be able to read now. */
  readonly shown: Set<string>;
  /** All texts that were ever written. */
  readonly all: Set<string>;
}

/**
 * Carries out the next step in the history of a post, with a unique text. `shown` is computed independently of the real
 * rules.
 */
function live(life: Life, step: Step, word: string): void {
  const { post, shown, all } = life;
  all.add(word);
  if (post === null) {
    life.post = postOf({
      title: `title-${word}`,
      updates: [updateOf({ id: word, text: `text-${word}` })],
    });
    return;
  }
  const wasPublished = post.state === 'published';
  const update = updateOf({ id: word, text: `text-${word}`, isDraft: step === 'draft' });
  const written = { updateId: word, atMs: NOW, words: { ...words, resolved: `text-${word}` } };
  if (step === 'draft' || step === 'update') {
    if (isOver(post)) return;
    life.post = withUpdate(post, update);
    if (wasPublished && step === 'update') shown.add(`text-${word}`);
  }
  if (step === 'publish') {
    life.post = withPublication(post, NOW);
    shown.add(post.title);
    for (const { text } of post.updates) shown.add(text);
  }
  if (step === 'end') {
    life.post = withEnd({ ...post, incidentIds: ['inc_1'] }, written);
    const isNew = life.post.updates.length > post.updates.length;
    if (isNew && wasPublished && !post.isTouched) shown.add(`text-${word}`);
  }
  if (step === 'return') life.post = withReturn(post, written);
  if (step === 'rewrite') {
    const [first] = post.updates;
    if (first === undefined) return;
    const isShown = shown.delete(first.text);
    if (isShown) shown.add(`text-${word}`);
    const rest = post.updates.slice(1);
    life.post = { ...post, updates: [{ ...first, text: `text-${word}` }, ...rest] };
  }
  if (step === 'learn' && isOver(post)) {
    if (post.postMortem !== null) shown.delete(post.postMortem);
    life.post = { ...post, postMortem: `text-${word}` };
    // If the post was published, the new post-mortem is public at once.
    if (wasPublished) shown.add(`text-${word}`);
  }
  if (step === 'delete') {
    life.post = null;
    shown.clear();
  }
}

/** Returns true for the post-mortem of a post that is open again. Such a post hides its post-mortem. */
function isHidden(post: Post | null, text: string): boolean {
  return post !== null && post.postMortem === text && !isOver(post);
}

test('visitors can read all published texts and nothing else, in any history of posts', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...STEPS), { maxLength: 30 }), (steps) => {
      const life: Life = { post: null, shown: new Set(), all: new Set() };
      for (const [at, step] of steps.entries()) {
        live(life, step, `w${at}x`);
        const { post, shown, all } = life;
        const posts = post === null ? [] : [post];
        const text = [everything(posts), ...filesOf(showPosts(posts))].join('\n');
        if (post?.state === 'published' && post.postMortem !== null) shown.add(post.postMortem);
        for (const word of all) {
          const isShown = shown.has(`text-${word}`) && !isHidden(post, `text-${word}`);
          expect({ word, isRead: text.includes(`text-${word}`) }).toEqual({
            word,
            isRead: isShown,
          });
          expect(text.includes(`title-${word}`)).toBe(shown.has(`title-${word}`));
        }
      }
    }),
    propertyOptions(200),
  );
});

const shownPost = (fields: Partial<Post> = {}): readonly ShownPost[] =>
  showPosts([withPublication(postOf(fields), NOW)]);

test('open posts come first on the status page, with state, time and affected items', () => {
  const { html } = pageOf(shownPost());
  expect(html).toMatch(
    /<h2>Announcements<\/h2>.*Payments fail.*Investigating.*Affects <bdi>Payments/s,
  );
  expect(html).toContain('<time datetime="2026-11-20T12:00:00.000Z">');
  expect(html.indexOf('Payments fail')).toBeLessThan(html.indexOf('<h2>Incidents of'));
  expect(html).toContain('href="shop/history/2026-11"');
});

test('resolved posts come last on the status page, with their post-mortem', () => {
  const over = shownPost({
    updates: [updateOf({ state: 'resolved', text: 'Fixed.' })],
    postMortem: 'A *disk* was full.',
  });
  const { html } = pageOf(over);
  expect(html).toMatch(/<h2>Past announcements<\/h2>.*Post-mortem.*<em>disk<\/em>.*Fixed\./s);
  expect(html).not.toContain('<h2>Announcements</h2>');
});

test('a published post shows no internal id, account, item id or author', () => {
  const text = everything([
    withPublication(postOf({ incidentIds: ['inc_1'], isTouched: false }), NOW),
  ]);
  for (const inside of ['pst_1', 'acc_1', 'mon_1', 'inc_1', 'stp_1', 'upd_1', 'ann@example.com'])
    expect(text).not.toContain(inside);
});

test.each(Object.keys(FEED_TYPES) as FeedFile[])(
  '%s shows a post as one entry with a constant id',
  (file) => {
    const before = feedOf(file, shownPost());
    expect(before).toContain('Payments fail (Investigating)');
    const id = /(?:urn:keepwatch:|"id": "|isPermaLink="false">)([\w-]{22})/;
    const renamed = feedOf(file, shownPost({ title: 'Cards fail' }));
    expect(id.exec(renamed)?.[1]).toBe(id.exec(before)?.[1]);
  },
);

test('the JSON of the page has the updates of a post as data', () => {
  const { items } = JSON.parse(feedOf('feed.json', shownPost()));
  expect(items[0]._keepwatch).toEqual({
    kind: 'post',
    type: 'incident',
    state: 'investigating',
    names: ['Payments'],
    updates: [{ state: 'investigating', text: 'We look into it.', at: '2026-11-20T12:00:00.000Z' }],
    postMortem: null,
  });
});

test('every state of a post has a text on the page', () => {
  for (const type of ['incident', 'maintenance'] as const)
    for (const state of POST_STATES[type]) {
      const { html } = pageOf(shownPost({ type, updates: [updateOf({ state })] }));
      expect(html).not.toContain('undefined');
    }
});

test('the page of a month links to the status page and to the months before and after', () => {
  const startMs = Date.UTC(2026, 0);
  const render = (hasEarlier: boolean, hasLater: boolean) =>
    renderStatusMonth(
      { title: 'Shop', look: LOOK },
      { posts: [], outages: [], startMs, hasEarlier, hasLater },
      { slug: 'shop', fontUrl: null },
    ).html;
  expect(render(true, true)).toMatch(
    /href="\.\.\/\.\.\/shop".*No announcements in this month.*href="2025-12">December 2025.*href="2026-02">February 2026/s,
  );
  expect(render(false, false)).not.toMatch(/href="20/);
});

test('the page of a month lists the incidents that began in it', () => {
  const startMs = Date.UTC(2026, 0);
  const span = { fromMs: startMs, lastFromMs: startMs, toMs: startMs + 3_600_000 };
  const outages = [{ name: 'Cards <b>', ...span, count: 1, downMs: 3_600_000 }];
  const month = { posts: [], startMs, hasEarlier: false, hasLater: false };
  const render = (shown: typeof outages) =>
    renderStatusMonth(
      { title: 'Shop', look: LOOK },
      { ...month, outages: shown },
      { slug: 'shop', fontUrl: null },
    ).html;
  expect(render(outages)).toMatch(/Incidents in January 2026.*Cards &lt;b&gt;.* was down for 1 h/s);
  expect(render([])).toContain('No incidents in this month.');
});

test('a preview shows only the post, in the look of its page', () => {
  const [post] = shownPost();
  if (post === undefined) throw new Error('the post is shown');
  const { html } = renderPostPreview({ post, page: { ...LOOK, title: 'Shop' } });
  expect(html).toContain('We look into it.');
  expect(html).not.toContain('Past announcements');
});

describe('Markdown in posts', () => {
  test.each([
    ['<img src=x onerror=alert(1)>', /&lt;img src=x/],
    ['<script>alert(1)</script>', /&lt;script&gt;/],
    ['[a](javascript:alert(1))', /\[a\]\(javascript:alert\(1\)\)/],
    ['[a](data:text/html;base64,AAAA)', /\[a\]\(data:/],
    ['[a](//example.com)', /\[a\]\(\/\/example\.com\)/],
    ['[a](/internal)', /\[a\]\(\/internal\)/],
  ])('in Markdown, %s is shown as text', (text, shown) => {
    const html = renderMarkdown(text);
    expect(html).toMatch(shown);
    expect(html).not.toMatch(/<(?:a|img|script)\b/);
  });

  test('a text that could not be rendered is shown as it was written', () => {
    const [post] = shownPost({ updates: [updateOf({ text: '**a** <b>' })] });
    if (post === undefined) throw new Error('the post is shown');
    const updates = post.updates.map((update) => ({ ...update, html: null }));
    expect(pageOf([{ ...post, updates }]).html).toContain('<p>**a** &lt;b&gt;</p>');
  });

  test('Markdown images and tables are not rendered', () => {
    expect(renderMarkdown('a|b\n-|-\nc|d')).not.toContain('<table');
    expect(renderMarkdown('![a](https://example.com/a.png)')).not.toContain('<img');
  });

  test.each(['https://example.com/a', 'http://example.com', 'mailto:help@example.com'])(
    'a link to %s sends no referrer to the other site',
    (url) => {
      expect(renderMarkdown(`[a](${url})`)).toContain(
        `<a href="${url}" rel="nofollow noopener noreferrer">a</a>`,
      );
    },
  );

  test("headings in a post are below the level of the post's title", () => {
    expect(renderMarkdown('# a\n\n### b')).toBe('<h4>a</h4>\n<h6>b</h6>\n');
  });

  test('any Markdown text is rendered with only the allowed elements, attributes and links', () => {
    const parts = fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '[a](',
      ')',
      '![',
      ']',
      'javascript:',
      'https://a.example',
      '\n',
      ' ',
      '`',
      '*',
      '_',
      '# ',
      '- ',
      '> ',
      '|',
      'onerror=',
      '<svg',
      '&#106;',
      '\t',
      '\\',
      'x',
    );
    const allowed =
      /<\/?(?:p|em|strong|code|pre|ul|ol|li|blockquote|hr|br|h[456]|s)(?: (?:start="\d+"|class="language-[^"<>]*"))?>|<a href="(?:https?|mailto):[^"<>]*"(?: title="[^"<>]*")? rel="nofollow noopener noreferrer">|<\/a>/gi;
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (written) => {
        const html = renderMarkdown(written.join(''));
        expect(html.replaceAll(allowed, '')).not.toMatch(/[<>]/);
      }),
      propertyOptions(500),
    );
  });
});
