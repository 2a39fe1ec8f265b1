import { execSync } from 'child_process';

export default class ReportService {
  create(format) {
    execSync('make-report --format=' + format);
  }
}
