import { readFileSync } from 'fs';
import { join } from 'path';

export const readText = (name: string): string => readFileSync(join('/srv/texts', name), 'utf8');
