/** The status page as visitors would see it, from what is typed. */
import { useComputedColorScheme } from '@mantine/core';
import { type PageDraft, previewBodyOf } from './page-draft';
import { ServerPreview } from './server-preview';

export function PagePreview({ draft }: { readonly draft: PageDraft }) {
  // At once, so that it is not drawn light first where the dashboard is dark.
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const theme = draft.theme === 'auto' ? scheme : draft.theme;
  const body = { ...previewBodyOf(draft, 'Untitled'), theme };
  return <ServerPreview path="/v1/status-pages/preview" body={body} />;
}
