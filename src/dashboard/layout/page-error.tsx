/** Shown instead of a page that failed to render or does not exist. */
import { Button, Code } from '@mantine/core';
import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { EmptyState } from '../shared/ui/empty-state';
import { PageHead } from '../shared/ui/page-head';

export function NotFound() {
  return (
    <>
      <PageHead title="Page not found" />
      <EmptyState
        title="Nothing to show"
        text="The URL may be mistyped, or the page was deleted."
        action={
          <Button component={Link} to="/">
            Go to overview
          </Button>
        }
      />
    </>
  );
}

export function PageError({ error }: ErrorComponentProps) {
  return (
    <>
      <PageHead title="Something went wrong" />
      <EmptyState
        title="This page could not be shown"
        text="Reloading often helps. Checks and alerts keep running."
        action={<Button onClick={() => window.location.reload()}>Reload</Button>}
      />
      <Code block>{error instanceof Error ? error.message : String(error)}</Code>
    </>
  );
}
