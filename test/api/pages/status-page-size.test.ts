/**
 * Tests how much a visitor downloads for the largest status page. Only its compressed HTML counts, because nothing else
 * is needed to read the page. The content is random. If the page is too large, the test prints the seed of its content.
 */

import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { renderStatusPage } from '../../../src/api/pages/status-page-html';
import {
  STATUS_PAGE_LANGUAGES,
  type StatusPageLanguage,
} from '../../../src/contracts/status-pages';
import type {
  PublicDay,
  PublicState,
  PublicStatus,
} from '../../../src/services/status-pages/public-status';
import { propertyOptions } from '../../support/property-runs';

const BYTES_MAX = 100_000;
const NOW = Date.UTC(2026, 0, 31, 12);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const [GROUPS, ITEMS, DAYS, POSTS] = [10, 10, 90, 20];
const WORDS =
  'payments orders search cards of some customers were slow and are served again after a restart'.split(
    ' ',
  );

/**
 * Creates a generator of random numbers from 0 to 1 (mulberry32). This is much faster than drawing each number with
 * fast-check.
 */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns the compressed sizes in bytes: for browsers that accept gzip, and for browsers that accept Brotli. */
function sentBytes(html: string): readonly number[] {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
  return [gzipSync(html), brotliCompressSync(html, { params })].map(({ length }) => length);
}

function largestPage(seed: number, language: StatusPageLanguage): PublicStatus {
  const random = createRandom(seed);
  const upTo = (max: number) => Math.floor(random() * max);
  const text = (words: number) =>
    Array.from({ length: words }, () => WORDS[upTo(WORDS.length)]).join(' ');
  const dayAt = (at: number): PublicDay => {
    const startMs = NOW - (DAYS - at) * DAY;
    // One day in twenty has an outage of random length. One day in fifty has time in another state.
    if (random() < 0.05) {
      const downMs = upTo(DAY);
      return { startMs, state: 'down', availability: 100 - (100 * downMs) / DAY, downMs };
    }
    const state: PublicState =
      random() < 0.02 ? ((['degraded', 'maintenance', 'unknown'] as const)[upTo(3)] ?? 'up') : 'up';
    return { startMs, state, availability: state === 'unknown' ? null : 100, downMs: 0 };
  };
  const itemAt = (id: string) => ({
    id,
    name: text(3),
    state: (['up', 'up', 'degraded', 'down'] as const)[upTo(4)] ?? 'up',
    availability: 90 + 10 * random(),
    sinceMs: null,
    responseTimes: { medianMs: upTo(900), hours: Array.from({ length: 24 }, () => upTo(900)) },
    days: Array.from({ length: DAYS }, (_, at) => dayAt(at)),
  });
  const groups = Array.from({ length: GROUPS }, (_, group) => ({
    name: text(2),
    availability: 90 + 10 * random(),
    items: Array.from({ length: ITEMS }, (_, at) => itemAt(`mon_${group}_${at}`)),
  }));
  const names = groups.flatMap(({ items }) => items.map(({ name }) => name));
  return {
    title: 'Shop status',
    description: text(30),
    overall: 'degraded',
    availability: 99.5,
    groups,
    outages: Array.from({ length: 50 }, (_, at) => {
      const fromMs = NOW - upTo(14 * DAY) - HOUR;
      return {
        name: names[at] ?? '',
        fromMs,
        toMs: fromMs + upTo(HOUR),
        lastFromMs: fromMs,
        count: 1 + upTo(3),
        downMs: upTo(HOUR),
      };
    }),
    maintenance: Array.from({ length: 10 }, (_, at) => {
      const fromMs = NOW + upTo(14 * DAY);
      return {
        names: names.slice(at, at + 3),
        fromMs,
        toMs: fromMs + HOUR,
        announcedAtMs: NOW,
        changedAtMs: NOW,
      };
    }),
    newestPostAtMs: NOW,
    posts: Array.from({ length: POSTS }, (_, at) => {
      const words = text(40);
      const state = ['resolved', 'monitoring', 'investigating'] as const;
      return {
        id: `pst_${at}`,
        type: 'incident' as const,
        title: text(6),
        names: names.slice(at, at + 3),
        state: at < 3 ? ('investigating' as const) : ('resolved' as const),
        isOpen: at < 3,
        publishedAtMs: NOW - at * DAY,
        changedAtMs: NOW,
        postMortem: at === 5 ? { text: words, html: `<p>${words}</p>` } : null,
        updates: state.map((each) => ({
          state: each,
          text: text(40),
          html: `<p>${text(40)}</p>`,
          atMs: NOW - upTo(14 * DAY),
        })),
      };
    }),
    showBadges: true,
    showResponseTimes: true,
    look: { logo: null, accent: '#0b6374', theme: 'auto', language },
    service: null,
    readAtMs: NOW,
  };
}

test.each(STATUS_PAGE_LANGUAGES)(
  'a page of 100 items with posts in %s is at most 100 KB when compressed',
  (language) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const { html } = renderStatusPage(largestPage(seed, language), {
          nowMs: NOW,
          slug: 'shop',
          hasScript: true,
        });
        expect(Math.max(...sentBytes(html))).toBeLessThanOrEqual(BYTES_MAX);
        expect(html).not.toMatch(/<(?:img|link rel="stylesheet"|script src|iframe)/);
      }),
      propertyOptions(2),
    );
  },
);
