/**
 * Expects that a page is accessible. CI runs axe on the wide page in its current colour scheme, and
 * checks the narrow page for overflow and small targets. The other scheme is checked for contrast
 * on one page of each kind. The long form runs axe in all four combinations.
 */
import { isLongForm } from '../../support/test-size';
import {
  axeViolations,
  contrastViolations,
  isTooWide,
  NARROW,
  smallTargets,
  type Watched,
  WIDE,
} from './browser';
import { eventually } from './eventually';

type Scheme = 'light' | 'dark';

export interface LookOptions {
  /** If true, CI also checks the contrast of the other colour scheme. */
  readonly inBothSchemes?: boolean;
}

/**
 * Expects no violation of axe, no horizontal scrolling and no target below 24 px. The page stays
 * wide afterwards.
 */
export async function expectReadable(
  { page }: Pick<Watched, 'page'>,
  { inBothSchemes = false }: LookOptions = {},
): Promise<void> {
  const isDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const [own, other]: readonly [Scheme, Scheme] = isDark ? ['dark', 'light'] : ['light', 'dark'];
  const wide = page.viewportSize() ?? WIDE;
  await expectWellFormed(page);
  if (isLongForm) {
    await page.setViewportSize(NARROW);
    await expectWellFormed(page);
    await page.emulateMedia({ colorScheme: other });
    await expectWellFormed(page);
    await page.setViewportSize(wide);
    await expectWellFormed(page);
  } else {
    await page.setViewportSize(NARROW);
    await eventually(() => isTooWide(page)).toBe(false);
    await eventually(() => smallTargets(page)).toEqual([]);
    if (inBothSchemes) {
      await page.emulateMedia({ colorScheme: other });
      expect(await contrastViolations(page)).toEqual([]);
    }
    await page.setViewportSize(wide);
  }
  await page.emulateMedia({ colorScheme: own });
}

async function expectWellFormed(page: Watched['page']): Promise<void> {
  await eventually(() => isTooWide(page)).toBe(false);
  expect(await smallTargets(page)).toEqual([]);
  expect(await axeViolations(page)).toEqual([]);
}
