/** Previews the draft of a status page, with the posts of the saved page. */
import { useComputedColorScheme } from '@mantine/core';
import { buildPreviewBody, type PageDraft } from './page-draft';
import { ServerPreview } from './server-preview';

const PREVIEW = '/v1/status-pages/preview';

interface PagePreviewProps {
  readonly draft: PageDraft;
  /** undefined for a new page. */
  readonly pageId: string | undefined;
}

export function PagePreview({ draft, pageId }: PagePreviewProps) {
  // The theme is read before the first render. Otherwise, the preview would first appear in the wrong theme.
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const theme = draft.theme === 'auto' ? scheme : draft.theme;
  const body = { ...buildPreviewBody(draft, 'Untitled'), theme };
  const path = pageId === undefined ? PREVIEW : (`${PREVIEW}?pageId=${pageId}` as const);
  return <ServerPreview path={path} body={body} />;
}
