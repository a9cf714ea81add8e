/** One result in a drawer next to the list. The URL contains its id, so that the link can be shared. */
import { Button, Drawer, Group } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Result } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { Unread } from '../../../shared/loading/unread';
import { ResultView } from '../../../shared/results/result-view';
import { CopyTextButton } from '../../../shared/ui/copy-text-button';

interface ResultDrawerProps {
  readonly monitorId: string;
  /** undefined when the drawer is closed. */
  readonly resultId: string | undefined;
}

export function ResultDrawer({ monitorId, resultId }: ResultDrawerProps) {
  const [, setSearch] = useSearchState();
  return (
    <Drawer
      opened={resultId !== undefined}
      onClose={() => setSearch({ result: undefined })}
      position="right"
      size="lg"
      title="Result"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {resultId !== undefined && <Content monitorId={monitorId} resultId={resultId} />}
    </Drawer>
  );
}

function Content({
  monitorId,
  resultId,
}: {
  readonly monitorId: string;
  readonly resultId: string;
}) {
  const path = `/v1/monitors/${monitorId}/results/${encodeURIComponent(resultId)}`;
  const { data: result, error } = useRead<Result>(path);
  // The data may still belong to the previous result.
  if (result?.id !== resultId) return <Unread of={{ data: undefined, error }} />;
  return (
    <>
      <Group mb="sm">
        <CopyTextButton
          text={window.location.origin + buildPath(monitorId, resultId)}
          label="Copy link"
          copiedLabel="Link copied"
          Icon={IconLink}
          size="compact-sm"
        />
        <Button
          component={Link}
          to={buildPath(monitorId, resultId)}
          size="compact-sm"
          variant="default"
        >
          Open result
        </Button>
      </Group>
      <ResultView result={result} />
    </>
  );
}

/** Path of the result's own page, which compares it with the last passing result. */
function buildPath(monitorId: string, resultId: string): string {
  return `/monitors/${monitorId}/results/${encodeURIComponent(resultId)}`;
}
