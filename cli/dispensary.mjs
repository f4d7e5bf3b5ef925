#!/usr/bin/env node
import { ensureBuilt, ensureInstalled, requireNode, runBuilt } from '../scripts/prepare.mjs';

requireNode();
ensureInstalled();
await ensureBuilt();
await runBuilt('dispensary.mjs', process.argv.slice(2));
