/** Holds one request of a page, to see what the page shows before the service has responded. */
import type { Page, Route } from 'playwright-core';

/** The next request to the path waits until the function that is returned is called. */
export async function holdRequest(
  page: Page,
  path: string,
  finish: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => void> {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const handle = async (route: Route): Promise<void> => {
    await held;
    await finish(route);
  };
  await page.route(path, handle, { times: 1 });
  return letGo;
}
