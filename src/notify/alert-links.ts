/** Builds the links in an alert: to the page of the resource, and to its runbook. */
import type { AlertMessage } from '../contracts/alerts';

/** The maximum length of a link. Discord accepts no longer links in buttons. */
const LINK_MAX = 512;

export interface AlertLink {
  readonly label: string;
  readonly url: string;
}

export function buildLink(alert: AlertMessage, publicUrl: string): AlertLink {
  if (alert.kind === 'test') return { label: 'Open Keepwatch', url: publicUrl };
  if (alert.kind === 'event') return eventLink(alert, publicUrl);
  if (alert.kind === 'certificate') {
    const path = `${alert.resourceType}s/${alert.resourceId}`;
    return { label: `View ${alert.resourceType}`, url: `${publicUrl}/${path}` };
  }
  if (alert.incidentId === null || alert.kind === 'digest')
    return { label: 'View incidents', url: `${publicUrl}/incidents` };
  return { label: 'View incident', url: `${publicUrl}/incidents/${alert.incidentId}` };
}

/** Returns a link to the incident of the event. If there is none, returns a link to the monitor or scenario. */
function eventLink(
  { event, resourceType, resourceId }: AlertMessage,
  publicUrl: string,
): AlertLink {
  const incidentId = event?.data['incidentId'];
  return typeof incidentId === 'string'
    ? { label: 'View incident', url: `${publicUrl}/incidents/${incidentId}` }
    : { label: `View ${resourceType}`, url: `${publicUrl}/${resourceType}s/${resourceId}` };
}

/** Returns the link to the page for responses, on which the snooze button comes first. */
export function buildSnoozeLink({ url }: AlertLink): AlertLink {
  const page = new URL(url);
  page.pathname += '/snooze';
  return { label: 'Snooze 1 h', url: page.href };
}

export function findRunbook({ guidance }: AlertMessage): AlertLink | null {
  const url = guidance?.runbookUrl ?? null;
  return url === null || !isLinkable(url) ? null : { label: 'Runbook', url: escapeBrackets(url) };
}

/**
 * True if all services accept the URL as a link. Telegram refuses hosts without a dot, and Discord refuses long links.
 */
export function isLinkable(url: string): boolean {
  if (!URL.canParse(url) || !new URL(url).hostname.includes('.')) return false;
  return escapeBrackets(url).length <= LINK_MAX;
}

/** Escapes the characters of a URL that would end a link in Markdown. */
function escapeBrackets(url: string): string {
  return new URL(url).href.replaceAll(/[()[\]<>|]/g, (mark) => `%${formatCode(mark)}`);
}

function formatCode(mark: string): string {
  return mark.charCodeAt(0).toString(16).toUpperCase();
}
