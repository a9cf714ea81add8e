/** One result beside the list. Which one is in the address of the page, so that it can be shared. */
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
  /** undefined: none is open. */
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
  // Another result may still be shown from before.
  if (result?.id !== resultId) return <Unread of={{ data: undefined, error }} />;
  return (
    <>
      <Group mb="sm">
        <CopyTextButton
          text={window.location.origin + pageOf(monitorId, resultId)}
          label="Copy link"
          copiedLabel="Link copied"
          Icon={IconLink}
          size="compact-sm"
        />
        <Button
          component={Link}
          to={pageOf(monitorId, resultId)}
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

/** Where the result stands alone, beside the last one that passed. */
function pageOf(monitorId: string, resultId: string): string {
  return `/monitors/${monitorId}/results/${encodeURIComponent(resultId)}`;
}
