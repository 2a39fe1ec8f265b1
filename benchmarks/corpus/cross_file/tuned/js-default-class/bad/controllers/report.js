import ReportService from '../services/report';

const service = new ReportService();

export default function report(req, res) {
  service.create(req.body.format);
  res.status(202).end();
}
