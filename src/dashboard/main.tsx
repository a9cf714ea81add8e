/** Starts the dashboard in the page. */
// The first reads are imported before the libraries, so that they start first.
import './first-reads';
import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import './global.css';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { client } from './first-reads';
import { createDashboardRouter, loadPagesWhenIdle } from './router';
import { loadWhenReached, NOT_REACHED_EVENT } from './shared/loading/load-when-reached';
import { readStyleNonce } from './style-nonce';
import { cssVariables, theme } from './theme';

const Notices = lazy(
  loadWhenReached(async () => ({ default: (await import('./layout/notices')).Notices })),
);
const nonce = readStyleNonce();
const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no element with the id "root".');
const router = createDashboardRouter();
// Starts to load the page now. Otherwise, the code of the page would load only after the frame.
void router.load().then(loadPagesWhenIdle);

// If code cannot be loaded, the service is probably unreachable. Reading the data again then fails, too, which shows
// the banner.
window.addEventListener(NOT_REACHED_EVENT, () => void client.refetchQueries());

// An entry without exports counts as CommonJS in this package and disables tree shaking, so the
// root is exported.
export const dashboard = createRoot(root);
dashboard.render(
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
  >
    <QueryClientProvider client={client}>
      <ModalsProvider>
        <Suspense fallback={null}>
          <Notices />
        </Suspense>
        <RouterProvider router={router} />
      </ModalsProvider>
    </QueryClientProvider>
  </MantineProvider>,
);
