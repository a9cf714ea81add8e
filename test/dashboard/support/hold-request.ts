/** Holds one request of a page, to see what the page shows before the service has responded. */
import type { Page, Route } from 'playwright-core';

/**
 * Delays the next request to the path until the returned function is called. The route stays intercepted, because
 * ending the interception may leave open requests without a response.
 */
export async function holdRequest(
  page: Page,
  path: string,
  finish: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let isTaken = false;
  const handle = async (route: Route): Promise<void> => {
    if (isTaken) return route.fallback();
    isTaken = true;
    await held;
    await finish(route);
  };
  await page.route(path, handle);
  return letGo;
}
