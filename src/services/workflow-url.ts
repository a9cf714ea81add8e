/** Addresses of workflows in the Temporal UI. */

/** A function from workflow id to address; null for all when there is no UI. */
export function workflowUrls(
  uiUrl: string | undefined,
  namespace: string,
): (workflowId: string) => string | null {
  return (workflowId) => {
    if (uiUrl === undefined) return null;
    const parts = ['namespaces', namespace, 'workflows', workflowId].map(encodeURIComponent);
    return `${uiUrl}/${parts.join('/')}`;
  };
}
