/**
 * Shows a draft as visitors would see it, rendered by the service. A shadow tree separates its styles from those of the
 * dashboard. Scripts in the draft do not run.
 */
import { Paper, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type ApiProblem, request } from '../../shared/data/api';
import type { StatusPagePreview } from '../../shared/data/api-types';
import { Unread } from '../../shared/loading/unread';
import classes from './editor.module.css';
import { TEXT } from './strings';

const TYPING_PAUSE_MS = 400;
/** Matches the style element. There is only one, because everything that users wrote is escaped. */
const STYLE = /<style>(.*?)<\/style>/s;

interface ServerPreviewProps {
  readonly path: `/v1/${string}`;
  readonly body: unknown;
}

export function ServerPreview({ path, body }: ServerPreviewProps) {
  const [typed] = useDebouncedValue(JSON.stringify(body), TYPING_PAUSE_MS);
  const { data, error } = useQuery<StatusPagePreview, ApiProblem>({
    queryKey: [path, typed],
    queryFn: ({ signal }) =>
      request<StatusPagePreview>('POST', path, { body: JSON.parse(typed), signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isInvalid = error !== null && error.errors.length > 0;
  return (
    <div>
      <Text fw={600} mb="xs">
        {TEXT.preview}
      </Text>
      {isInvalid && (
        <Text size="sm" c="dimmed" mb="xs">
          No preview while a field is invalid.
        </Text>
      )}
      {!isInvalid && <Unread of={{ data, error }} />}
      {data !== undefined && (
        <Paper
          withBorder
          className={classes['frame'] ?? ''}
          role="region"
          aria-label={TEXT.preview}
          tabIndex={0}
        >
          <Isolated html={data.html} />
        </Paper>
      )}
    </div>
  );
}

function Isolated({ html }: { readonly html: string }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = host.current?.shadowRoot ?? host.current?.attachShadow({ mode: 'open' });
    if (root === undefined) return;
    // The styles are added by script, because the content security policy of the dashboard blocks a
    // parsed style element.
    const [, css = ''] = STYLE.exec(html) ?? [];
    const page = new DOMParser().parseFromString(html.replace(STYLE, ''), 'text/html');
    const style = new CSSStyleSheet();
    style.replaceSync(`${css}.page{min-height:0}`);
    root.adoptedStyleSheets = [style];
    root.replaceChildren(...page.body.children);
  }, [html]);
  return <div ref={host} inert aria-hidden data-preview />;
}
