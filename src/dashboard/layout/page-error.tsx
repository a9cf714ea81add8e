/** What stands where a page can not: it broke, or there is none at this address. */
import { Button, Code } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { EmptyState } from '../shared/ui/empty-state';
import { PageHead } from '../shared/ui/page-head';

export function NotFound() {
  return (
    <>
      <PageHead title="There is no page here" />
      <EmptyState
        title="Nothing to show"
        text="The address may be mistyped, or what it showed was deleted."
        action={
          <Button component={Link} to="/">
            To the overview
          </Button>
        }
      />
    </>
  );
}

export function PageError({ error }: ErrorComponentProps) {
  return (
    <>
      <PageHead title="This page broke" />
      <EmptyState
        title="Something went wrong in it"
        text="Reloading often helps. Nothing that runs in the background is affected."
        action={<Button onClick={() => window.location.reload()}>Reload</Button>}
      />
      <Code block>{error instanceof Error ? error.message : String(error)}</Code>
    </>
  );
}
