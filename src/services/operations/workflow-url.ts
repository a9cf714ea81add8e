/** URLs of workflows in the Temporal UI, and whether the UI is served through our own public URL. */

/** Path of the UI at the API. The UI must be started with the same public path. */
export const TEMPORAL_UI_PATH = '/temporal';

/** True for a UI that is meant to be reached through the API; other UIs have their own login. */
export function isProxiedUi(uiUrl: string | undefined): uiUrl is string {
  return uiUrl !== undefined && new URL(uiUrl).pathname === TEMPORAL_UI_PATH;
}

/** Returns a function from a workflow, or one execution of it, to its URL; to null if there is no UI. */
export function workflowUrls(
  { uiUrl, publicUrl }: { readonly uiUrl: string | undefined; readonly publicUrl: string },
  namespace: string,
): (workflowId: string, executionId?: string) => string | null {
  const base = isProxiedUi(uiUrl) ? `${publicUrl}${TEMPORAL_UI_PATH}` : uiUrl;
  return (workflowId, executionId) => {
    if (base === undefined) return null;
    const history = executionId === undefined ? [] : [executionId, 'history'];
    const parts = ['namespaces', namespace, 'workflows', workflowId, ...history];
    return `${base}/${parts.map(encodeURIComponent).join('/')}`;
  };
}
