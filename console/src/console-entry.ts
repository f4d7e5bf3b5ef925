import { loadWords } from './words/words.ts';

// The modules of the screens have texts in their constants, so the language stands before any of them runs.
void loadWords().then(() => import('./console-app.tsx'));
