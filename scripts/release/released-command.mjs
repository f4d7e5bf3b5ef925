#!/usr/bin/env node
import { ensureHome, requireNode } from './scripts/entry.mjs';

requireNode();
ensureHome();
import('./dist/program.mjs').then(({ command }) => command());
