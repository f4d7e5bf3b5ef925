#!/usr/bin/env node
import { ensureHome, requireNode } from './scripts/entry.mjs';
import { ensureBuilt, ensureInstalled, runBuilt } from './scripts/prepare.mjs';

requireNode();
ensureHome();
ensureInstalled();
await ensureBuilt();
await runBuilt('dispensary.mjs', process.argv.slice(2));
