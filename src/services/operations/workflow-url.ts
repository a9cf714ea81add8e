/** Builds the URLs of workflows in the Temporal UI. Also decides whether the API serves this UI. */

/** The path of the UI at the API. The UI must be started with the same path. */
export const TEMPORAL_UI_PATH = '/temporal';

/** True for a UI that people reach through the API. A UI at another URL has its own login. */
export function isProxiedUi(uiUrl: string | undefined): uiUrl is string {
  return uiUrl !== undefined && new URL(uiUrl).pathname === TEMPORAL_UI_PATH;
}

/**
 * Returns a function that builds the URL of a workflow or of one of its executions. The URL is null if there is no UI.
 */
export function createWorkflowUrls(
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
