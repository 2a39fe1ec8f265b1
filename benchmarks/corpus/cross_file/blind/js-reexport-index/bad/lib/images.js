import { exec } from 'child_process';

export function convert(file, done) {
  exec(`convert ${file} out.png`, (error, stdout) => done(stdout));
}
