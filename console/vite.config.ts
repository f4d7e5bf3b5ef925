import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The server fills it in, another one each time (src/http/console-pages.ts). */
const noncePlaceholder = '__CSP_NONCE__';

/** Puts `.br` and `.gz` beside every text that is sent: the server compresses nothing itself. */
function compressed(): Plugin {
  let folder = '';
  return {
    name: 'compressed',
    apply: 'build',
    configResolved: ({ build }) => {
      folder = join(build.outDir, 'assets');
    },
    writeBundle: () => {
      for (const name of readdirSync(folder).filter((name) => /\.(js|css|svg)$/.test(name))) {
        const bytes = readFileSync(join(folder, name));
        const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/** The host stays that of the page: the service refuses what comes from another origin. */
const service = { target: process.env.SERVICE_URL ?? 'http://127.0.0.1:8080', changeOrigin: false };

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), compressed()],
  html: { cspNonce: noncePlaceholder },
  build: {
    outDir: join(import.meta.dirname, '..', 'dist', 'console'),
    emptyOutDir: true,
    target: 'es2022',
    // Inlined pictures would need `data:` where the policy has none.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What counts is the compressed size of the first page: its budget is checked by a test.
    chunkSizeWarningLimit: 1_000,
  },
  // `npx vite console`: pages from here, everything else from a running service.
  server: { proxy: { '/staff': service, '/photos': service, '/api': service } },
  cacheDir: join(import.meta.dirname, '..', 'node_modules', '.vite-console'),
});
