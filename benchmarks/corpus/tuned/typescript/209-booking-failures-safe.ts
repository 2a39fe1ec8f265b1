import { randomUUID } from 'node:crypto';
import express, { type ErrorRequestHandler, type Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { bookingRoutes } from './bookings';

class HttpProblem extends Error {
  constructor(readonly status: number, readonly title: string) {
    super(title);
  }
}

function failureHandler(logger: Logger): ErrorRequestHandler {
  return (err, _req, res, next) => {
    if (res.headersSent) {
      next(err);
      return;
    }
    if (err instanceof HttpProblem) {
      res.status(err.status).json({ title: err.title });
      return;
    }
    const reference = randomUUID();
    logger.error({ err, reference }, 'request failed');
    res.status(500).json({ title: 'Internal error', reference });
  };
}

export function createApp(logger: Logger): Express {
  const app = express();
  app.use(helmet());
  app.use(express.json({ limit: '50kb' }));
  app.use('/bookings', bookingRoutes);
  app.use((_req, _res, next) => next(new HttpProblem(404, 'Not found')));
  app.use(failureHandler(logger));
  return app;
}
