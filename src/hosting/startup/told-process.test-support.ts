import { concerns } from '../../kernel/concerns.ts';
import { tellServing } from './serving-processes.ts';

/* A serving process that serves nothing: it tells the concerns that it was told. */

concerns.onChange(() => void process.send!({ seen: concerns.words }));
process.on('SIGTERM', () => process.exit(0));
tellServing({ baseUrl: 'http://127.0.0.1:1', menuUrl: 'http://127.0.0.1:2' });
