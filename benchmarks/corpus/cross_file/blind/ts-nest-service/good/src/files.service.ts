import { Injectable } from '@nestjs/common';
import * as fs from 'fs';
import * as path from 'path';

@Injectable()
export class FilesService {
  read(name: string): string {
    return fs.readFileSync('/srv/files/' + path.basename(name), 'utf8');
  }
}
