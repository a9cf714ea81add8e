/**
 * Changes responses of the service on their way to a page. A page reloads data automatically, so a request may be open
 * when the visitor leaves the page. Such an aborted request is not a failure.
 */
import type { Page } from 'playwright-core';

const VISITOR_LEFT = /has been (?:closed|disposed)|Request context disposed/;

/** Adds these fields to every later response for the path. */
export async function alterResponses(
  page: Page,
  path: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  await page.route(path, async (route) => {
    try {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...fields } });
    } catch (error) {
      if (!(error instanceof Error && VISITOR_LEFT.test(error.message))) throw error;
    }
  });
}
