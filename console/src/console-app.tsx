import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import './mantine-styles.css';
import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import './console.css';
import { followBrowserConnection, onReconnected } from './parts/connection.ts';
import { readAgain } from './parts/read-again.ts';
import { queryClient } from './query-client.ts';
import { router } from './routes.tsx';
import { listenForScans } from './scanner/scanner.ts';
import { SessionGate } from './session/session.tsx';
import { readableColors, theme } from './theme.ts';

// Styles that components create at runtime carry the page's nonce; the browser refuses them otherwise.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// The scroll lock of dialogs reads the nonce here.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;

const colorSchemes = localStorageColorSchemeManager({ key: 'console-theme' });

// Must come before any other keyboard listener.
listenForScans(window);
followBrowserConnection();
onReconnected(() => readAgain(queryClient, {}, 'shown'));

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableColors}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      getStyleNonce={() => nonce}
    >
      <Notifications position="top-center" limit={4} />
      <QueryClientProvider client={queryClient}>
        <SessionGate>
          <RouterProvider router={router} />
        </SessionGate>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
