import { Injectable } from '@nestjs/common';
import * as fs from 'fs';

@Injectable()
export class FilesService {
  read(name: string): string {
    return fs.readFileSync('/srv/files/' + name, 'utf8');
  }
}
