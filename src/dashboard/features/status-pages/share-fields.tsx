/** The URL of a saved status page, its feeds, and code for its badges and embed. */
import { Anchor, Stack, Text } from '@mantine/core';
import type { StatusPage } from '../../shared/data/api-types';
import { CopyField } from '../../shared/ui/copy-field';

const FEEDS = [
  ['feed.rss', 'RSS'],
  ['feed.atom', 'Atom'],
  ['feed.json', 'JSON Feed'],
] as const;

export function ShareFields({ page }: { readonly page: StatusPage }) {
  const { url, slug, title, isPublic, showBadges, showLedger } = page;
  const buildBadgeUrl = (name: string): string => new URL(`/badges/${slug}/${name}.svg`, url).href;
  return (
    <Stack gap="sm">
      <CopyField label="URL" value={url} />
      {isPublic && (
        <Text size="sm">
          Feeds:{' '}
          {FEEDS.map(([file, name], index) => (
            <span key={file}>
              {index > 0 && ' · '}
              <Anchor href={`/status/${slug}/${file}`} size="sm" underline="always">
                {name}
              </Anchor>
            </span>
          ))}
        </Text>
      )}
      {isPublic && showBadges && (
        <>
          <CopyField
            label="Badge (Markdown)"
            value={`[![${markdown(title)}](${buildBadgeUrl('overall')})](${url})`}
          />
          {showLedger && (
            <CopyField
              label="Badge of our own checks (Markdown)"
              value={`[![Checks](${buildBadgeUrl('ledger')})](${url})`}
            />
          )}
          <CopyField
            label="Embed (HTML)"
            value={`<iframe src="${url}/embed" title="Status" width="360" height="320" style="border:0"></iframe>`}
          />
        </>
      )}
    </Stack>
  );
}

function markdown(text: string): string {
  return text.replaceAll(/[[\]\\]/g, String.raw`\$&`);
}
