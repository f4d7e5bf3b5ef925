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

// Styles that components make as they go carry the nonce of the page; without it the browser refuses them.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// Where the scroll lock of dialogs looks for it.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;

const colorSchemes = localStorageColorSchemeManager({ key: 'console-theme' });

// Before all else that listens to the keyboard.
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
