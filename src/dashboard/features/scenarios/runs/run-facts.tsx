/** Shows the facts of a run: what started it, its region, environment, start, duration and source. */
import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Run } from '../../../shared/data/api-types';
import { AbsoluteTime, milliseconds } from '../../../shared/text/time';
import { TRIGGER_WORDS } from '../strings';
import classes from './runs.module.css';

export function RunFacts({ run }: { readonly run: Run }) {
  const { trigger, label, region, environment, queuedAt, startedAt, durationMs, source } = run;
  return (
    <dl className={classes['facts']}>
      <Fact name="Trigger">
        {TRIGGER_WORDS[trigger]}
        {label === null ? '' : ` · ${label}`}
      </Fact>
      <Fact name="Region">{region}</Fact>
      {environment !== null && <Fact name="Environment">{environment}</Fact>}
      <Fact name={startedAt === null ? 'Queued' : 'Started'}>
        <AbsoluteTime at={startedAt ?? queuedAt} />
      </Fact>
      <Fact name="Duration">{milliseconds(durationMs)}</Fact>
      <Fact name="Version">{run.revision}</Fact>
      <Fact name="Counts toward uptime">{run.countedInUptime ? 'Yes' : 'No'}</Fact>
      {source !== null && (
        <Fact name="Source">
          <Source source={source} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Shows the commit as a link to the URL that the pipeline reported. */
function Source({ source }: { readonly source: NonNullable<Run['source']> }) {
  const { provider, repository, branch, commit, url, actor } = source;
  const where = [provider, repository, branch].filter((part) => part !== null).join(' · ');
  const what = commit === null ? null : commit.slice(0, 12);
  return (
    <Text span size="sm" inherit>
      {where}
      {where !== '' && what !== null ? ' · ' : ''}
      {url === null ? (
        what
      ) : (
        <Anchor href={url} target="_blank" rel="noreferrer" inherit underline="always">
          {what ?? url}
        </Anchor>
      )}
      {actor === null ? '' : ` by ${actor}`}
    </Text>
  );
}

/** Describes in a few words what started the run, for lists. */
export function startWords({ trigger, label, source }: Run): string {
  const parts = [TRIGGER_WORDS[trigger], label, source?.commit?.slice(0, 8) ?? null, source?.actor];
  return parts.filter((part) => part !== null && part !== undefined).join(' · ');
}
