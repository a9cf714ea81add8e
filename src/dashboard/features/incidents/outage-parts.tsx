/**
 * Shows the entries of an incident, grouped by outage. The last outage is open. Earlier outages are in a disclosure,
 * except for the last few.
 */
import type { ReactNode } from 'react';
import type { Incident } from '../../shared/data/api-types';
import { formatDuration } from '../../shared/text/time';
import classes from './incidents.module.css';
import { StepTime } from './step-time';
import { type StoryPart, splitStory } from './story';
import { TEXT } from './strings';

/** How many of the last outages are shown at first. */
const SHOWN_OUTAGES = 3;

interface OutagePartsProps<Entry> {
  readonly incident: Incident;
  readonly entries: readonly Entry[];
  readonly children: (entries: readonly Entry[]) => ReactNode;
}

export function OutageParts<Entry extends { readonly at: string }>({
  incident,
  entries,
  children,
}: OutagePartsProps<Entry>) {
  const parts = splitStory(incident, entries);
  const [only] = parts;
  if (only?.outage === null) return children(only.entries);
  const unlisted = incident.episodeCount - parts.length;
  const hidden = countHidden(parts.length, unlisted);
  const rows = parts.map((part, index) => (
    <OutagePart
      key={part.outage}
      part={part}
      before={index === hidden ? undefined : parts[index - 1]}
      isLast={index === parts.length - 1}
    >
      {children(part.entries)}
    </OutagePart>
  ));
  return (
    <div className={classes['outages']}>
      {hidden > 0 && (
        <details className={classes['outage']}>
          <summary>{TEXT.earlierOutages(hidden + unlisted)}</summary>
          {unlisted > 0 && <p>{TEXT.unlistedOutages(unlisted)}</p>}
          {rows.slice(0, hidden)}
        </details>
      )}
      {rows.slice(hidden)}
    </div>
  );
}

/** Returns how many outages to hide. A single outage is not hidden, because the disclosure would save no space. */
function countHidden(listed: number, unlisted: number): number {
  const hidden = Math.max(0, listed - SHOWN_OUTAGES);
  return hidden + unlisted === 1 ? 0 : hidden;
}

interface OutagePartProps {
  readonly part: StoryPart<unknown>;
  readonly before: StoryPart<unknown> | undefined;
  readonly isLast: boolean;
  readonly children: ReactNode;
}

function OutagePart({ part, before, isLast, children }: OutagePartProps) {
  const { outage, startedAt, durationSeconds, isOpen } = part;
  return (
    <details className={classes['outage']} open={isLast}>
      <summary>
        <b>Outage {outage}</b> · <StepTime at={startedAt} before={before?.startedAt} /> ·{' '}
        {formatDuration(durationSeconds)}
        {isOpen && ' so far'}
      </summary>
      {children}
    </details>
  );
}
