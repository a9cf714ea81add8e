/** Shows the given entries of an incident, grouped by outage. All groups except the last are collapsed. */
import type { ReactNode } from 'react';
import { AbsoluteTime } from '../../shared/text/time';
import type { StoryPart } from './story';

interface OutagePartsProps<Entry> {
  readonly parts: readonly StoryPart<Entry>[];
  readonly children: (entries: readonly Entry[]) => ReactNode;
}

export function OutageParts<Entry>({ parts, children }: OutagePartsProps<Entry>) {
  return parts.map(({ outage, startedAt, entries }, index) =>
    outage === null ? (
      <div key="">{children(entries)}</div>
    ) : (
      <details key={outage} open={index === parts.length - 1}>
        <summary style={{ cursor: 'pointer', marginBlock: 8 }}>
          <b>Outage {outage}</b>, <AbsoluteTime at={startedAt} />
        </summary>
        {children(entries)}
      </details>
    ),
  );
}
