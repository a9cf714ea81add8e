/**
 * Responses of the service as a page gets them, altered on their way. A page reads again by itself, so a
 * request may be in flight when its visitor leaves; that is the end of the test, not a fault.
 */
import type { Page } from 'playwright-core';

const VISITOR_LEFT = /has been (?:closed|disposed)|Request context disposed/;

/** Every later response to the path carries these fields, too. */
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
