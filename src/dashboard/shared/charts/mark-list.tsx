/** What the vertical lines of a chart stand for, oldest first. */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { AbsoluteTime } from '../text/time';
import type { Mark, MarkKind } from './band';
import classes from './charts.module.css';

const WORDS: Readonly<Record<MarkKind, string>> = {
  incident: 'Incident',
  edit: 'Edited',
  maintenance: 'Maintenance',
  run: 'Run',
};

export function MarkList({ marks }: { readonly marks: readonly Mark[] }) {
  if (marks.length === 0) return null;
  return (
    <details className={classes['details']}>
      <summary>
        {marks.length === 1 ? '1 mark' : `${marks.length} marks`}: incidents, edits, maintenance and
        runs
      </summary>
      <ul className={classes['marks']}>
        {marks.map(({ id, kind, atMs, text, to }) => (
          <Text component="li" size="sm" key={id} style={{ overflowWrap: 'anywhere' }}>
            <span className={classes['mark']} data-kind={kind} aria-hidden />
            <b>{WORDS[kind]}</b> <AbsoluteTime at={new Date(atMs).toISOString()} />{' '}
            {to === null ? (
              text
            ) : (
              <Anchor component={Link} to={to} size="sm">
                {text}
              </Anchor>
            )}
          </Text>
        ))}
      </ul>
    </details>
  );
}
