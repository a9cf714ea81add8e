/**
 * A page as everybody may see it. In CI axe looks at it wide, in the scheme that it has, and the narrow width is held
 * to what fits and what a finger can press; the other scheme is held to contrast on one page of a kind. The long form
 * has axe in all four looks.
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
  /** Whether CI holds the other scheme to contrast, too. */
  readonly inBothSchemes?: boolean;
}

/** Nothing that axe finds, no sideways scrolling, no target below 24 px; the page stays wide, as it was. */
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
