import { execFile } from 'child_process';

export function convert(file, done) {
  execFile('convert', ['--', file, 'out.png'], (error, stdout) => done(stdout));
}
