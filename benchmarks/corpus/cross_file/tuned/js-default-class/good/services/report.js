import { execFileSync } from 'child_process';

export default class ReportService {
  create(format) {
    execFileSync('make-report', ['--format', format]);
  }
}
