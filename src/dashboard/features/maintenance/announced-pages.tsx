/** Says for each public status page with an affected item whether a post announces the window. */
import { Anchor, Text } from '@mantine/core';
import type { Targeted } from '../../../domain/definitions/is-targeted';
import type { Page, StatusPage } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { useCan } from '../../shared/data/session';
import { TEXT } from './strings';
import { affectedPages, type TargetDraft } from './window-draft';

interface AnnouncedPagesProps {
  readonly target: TargetDraft;
  readonly checks: readonly Targeted[];
}

export function AnnouncedPages({ target, checks }: AnnouncedPagesProps) {
  const { data } = useRead<Page<StatusPage>>('/v1/status-pages?limit=50');
  const mayWrite = useCan('write');
  return affectedPages(data?.data ?? [], target, checks).map(({ id, title, posts }) => (
    <Text key={id} size="sm" c="dimmed">
      <bdi>{title}</bdi>: {posts.maintenance ? TEXT.announced : TEXT.notAnnounced}.
      {mayWrite && (
        <>
          {' '}
          <Anchor
            href={`/status-pages/${id}`}
            target="_blank"
            inherit
            aria-label={`${TEXT.change} ${title}`}
          >
            {TEXT.change}
          </Anchor>
        </>
      )}
    </Text>
  ));
}
