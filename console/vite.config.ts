import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The server replaces it with a new nonce for each response (src/platform/http/console-pages.ts). */
const noncePlaceholder = '__CSP_NONCE__';

/** A smaller file takes one packet either way. */
const compressedBytesMin = 1_000;

/** Writes `.br` and `.gz` beside text files: the server does not compress. */
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
        if (bytes.length < compressedBytesMin) continue;
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11 };
        writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
        writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/**
 * Leaves out the rights that no source of the console names: the first page loads all rights, and most operations have no button.
 * Their type has them all, so a name is always written out in quotes.
 */
function namedRights(): Plugin {
  let named: ReadonlySet<string> = new Set();
  return {
    name: 'named-rights',
    apply: 'build',
    enforce: 'pre',
    buildStart: () => {
      const folder = join(import.meta.dirname, 'src');
      const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.tsx?$/.test(name))
        .map((name) => readFileSync(join(folder, name), 'utf8'));
      named = new Set(sources.flatMap((text) => [...text.matchAll(/['"](\w+)['"]/g)].map(([, it]) => it!)));
    },
    transform: (code, id) =>
      id.endsWith('/sdk/src/staff-rights.ts')
        ? code.replaceAll(/^ {2}(\w+): \[.*\],\n/gm, (line, name: string) => (named.has(name) ? line : ''))
        : null,
  };
}

/**
 * Names the files of the application in the page: the entry asks for them only after the words, and the browser would learn of them
 * one step later.
 */
function applicationInPage(): Plugin {
  return {
    name: 'application-in-page',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const chunks = Object.values(bundle).filter((it) => it.type === 'chunk');
        const files = new Set<string>();
        const styles = new Set<string>();
        const name = (chunk: (typeof chunks)[number] | undefined): void => {
          if (!chunk || files.has(chunk.fileName)) return;
          files.add(chunk.fileName);
          for (const it of chunk.imports) name(chunks.find(({ fileName }) => fileName === it));
          for (const it of chunk.viteMetadata?.importedCss ?? []) styles.add(it);
        };
        name(chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/src/console-app.tsx')));
        const link = (rel: string) => (file: string) => ({
          tag: 'link',
          attrs: { rel, crossorigin: true, href: `/console/${file}`, nonce: noncePlaceholder },
        });
        const missing = [...files].filter((file) => !html.includes(file));
        return [...missing.map(link('modulepreload')), ...[...styles].map(link('stylesheet'))];
      },
    },
  };
}

/**
 * The modules of the application are one file: it compresses better, and the page names fewer files. The words are not in it; the
 * entry needs them first.
 */
function loadedTogether() {
  const sources = join(import.meta.dirname, 'src');
  const start = join(sources, 'console-app.tsx');
  const application = new Set<string>();
  return (
    id: string,
    modules: { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null },
  ): string | null => {
    const visit = (it: string): void => {
      if (application.has(it) || !it.startsWith(sources) || it.endsWith('/words.ts')) return;
      application.add(it);
      modules.getModuleInfo(it)?.importedIds.forEach(visit);
    };
    if (application.size === 0) visit(start);
    // The one that the entry imports stays a file of its own.
    return application.has(id) && id !== start ? 'application' : null;
  };
}

/** What so many screens use of the libraries is one file too. With fewer, the first screen loads what only other screens need. */
const screensThatShare = 60;

/** Keeps the page's host: the service refuses requests from another origin. */
const service = { target: process.env.SERVICE_URL ?? 'http://127.0.0.1:8080', changeOrigin: false };

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [namedRights(), react(), applicationInPage(), compressed()],
  html: { cspNonce: noncePlaceholder },
  build: {
    outDir: join(import.meta.dirname, '..', 'dist', 'console'),
    emptyOutDir: true,
    target: 'es2022',
    // Inlined images would need `data:`, which the policy does not allow.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The compressed size of the first page counts; a test checks its budget.
    chunkSizeWarningLimit: 1_000,
    // The first page names every file of the build, so short names make it smaller. Screens and dialogs keep their own.
    rollupOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Before the others, which take what their modules need: the entry must not wait for them, nor they run before it.
            { name: 'words', test: /\/src\/words\/words\.ts$|vite\/preload-helper/, priority: 1 },
            { name: loadedTogether(), debugName: 'loaded-together' },
            { name: 'libraries', test: /node_modules/, minShareCount: screensThatShare },
          ],
        },
        chunkFileNames: ({ isDynamicEntry }) =>
          isDynamicEntry ? 'assets/[name]-[hash].js' : 'assets/[hash].js',
      },
    },
  },
  // `npx vite console` serves the pages and proxies everything else to a running service.
  server: { proxy: { '/staff': service, '/photos': service, '/api': service } },
  cacheDir: join(import.meta.dirname, '..', 'node_modules', '.vite-console'),
});
