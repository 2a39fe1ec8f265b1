import { readFileSync } from 'fs';
import { basename, join } from 'path';

export const readText = (name: string): string => readFileSync(join('/srv/texts', basename(name)), 'utf8');
