/** Previews the draft of a status page as visitors would see it. */
import { useComputedColorScheme } from '@mantine/core';
import { buildPreviewBody, type PageDraft } from './page-draft';
import { ServerPreview } from './server-preview';

export function PagePreview({ draft }: { readonly draft: PageDraft }) {
  // Read before the first render, so that the preview does not flash light in a dark dashboard.
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const theme = draft.theme === 'auto' ? scheme : draft.theme;
  const body = { ...buildPreviewBody(draft, 'Untitled'), theme };
  return <ServerPreview path="/v1/status-pages/preview" body={body} />;
}
